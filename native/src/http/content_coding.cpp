#include "http/content_coding.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>

#include "tonearm/ascii.h"
#include "tonearm/http_fields.h"

namespace tonearm::native {
namespace {

constexpr int kGzipLevel = 4;
constexpr int kZstdLevel = 3;
constexpr std::array<std::string_view, 2> kTagSuffixes{"-gzip", "-zstd"};

std::string_view suffix_of(Coding coding) { return coding == Coding::gzip ? "-gzip" : "-zstd"; }
std::string_view name_of(Coding coding) { return coding == Coding::gzip ? "gzip" : "zstd"; }

struct Qualities {
  std::optional<int> gzip;
  std::optional<int> zstd;
  std::optional<int> identity;
  std::optional<int> any;

  void read(std::string_view item) {
    const auto name = http_fields::next_element(item, ';');
    int value = 1000;
    while (!item.empty()) {
      const auto parameter = http_fields::next_element(item, ';');
      if (parameter.size() < 2 || !ascii::equals_ignoring_case(parameter.substr(0, 2), "q=")) continue;
      const auto read_value = http_fields::weight(parameter.substr(2));
      if (!read_value) return;  // malformed: ignored
      value = *read_value;
    }
    if (ascii::equals_ignoring_case(name, "gzip") || ascii::equals_ignoring_case(name, "x-gzip")) gzip = value;
    if (ascii::equals_ignoring_case(name, "zstd")) zstd = value;
    if (ascii::equals_ignoring_case(name, "identity")) identity = value;
    if (name == "*") any = value;
  }
};

bool is_compressible(const Response& response) {
  if (find_header(response.headers, "Content-Encoding") != nullptr) return false;
  const auto* type = find_header(response.headers, "Content-Type");
  if (type == nullptr) return false;
  std::string_view rest = *type;
  const auto media = http_fields::next_element(rest, ';');
  return media == "application/json" || (media.substr(0, 5) == "text/" && media != "text/event-stream") ||
         (media.size() > 5 && media.substr(media.size() - 5) == "+json");
}

bool compresses(const CodingChoice& choice, std::string_view text) {
  return choice.coding != Coding::identity && (text.size() >= kCompressBytesMin || choice.identity_refused);
}

void add_vary(Headers& headers) {
  for (auto& header : headers) {
    if (!is_named(header, "Vary")) continue;
    if (header.value != "*" && !http_fields::has_token(header.value, "Accept-Encoding"))
      header.value += ", Accept-Encoding";
    return;
  }
  headers.push_back({"Vary", "Accept-Encoding"});
}

/// Adds the suffix inside the quotes of a strong tag.
void suffix_entity_tag(Headers& headers, std::string_view suffix) {
  for (auto& header : headers) {
    if (!is_named(header, "ETag")) continue;
    if (header.value.size() >= 2 && header.value.front() == '"' && header.value.back() == '"') {
      header.value.insert(header.value.size() - 1, suffix);
    }
  }
}

/// Gives a 304 the tag of the representation that the client has.
void suffix_not_modified(const Headers& request_headers, Coding preferred, Response& response) {
  const auto* tag = find_header(response.headers, "ETag");
  if (tag == nullptr || tag->size() < 2) return;
  const auto names = [&](std::string_view suffix) {
    const auto wanted = tag->substr(0, tag->size() - 1) + std::string(suffix) + '"';
    return std::any_of(request_headers.begin(), request_headers.end(), [&](const Header& header) {
      return is_named(header, "If-None-Match") && header.value.find(wanted) != std::string::npos;
    });
  };
  if (names("")) return;
  const auto first = preferred == Coding::gzip ? Coding::gzip : Coding::zstd;
  const auto second = first == Coding::gzip ? Coding::zstd : Coding::gzip;
  for (const auto coding : {first, second}) {
    if (names(suffix_of(coding))) return suffix_entity_tag(response.headers, suffix_of(coding));
  }
}

}  // namespace

CodingChoice choose_coding(const Headers& request_headers) {
  Qualities named;
  bool has_field = false;
  for (const auto& header : request_headers) {
    if (!is_named(header, "Accept-Encoding")) continue;
    has_field = true;
    std::string_view items = header.value;
    while (!items.empty()) named.read(http_fields::next_element(items, ','));
  }
  if (!has_field) return {};
  const int gzip = named.gzip.value_or(named.any.value_or(0));
  const int zstd = named.zstd.value_or(named.any.value_or(0));
  // Identity is acceptable unless excluded; it is chosen only if it is named and has the higher quality.
  const bool refused = named.identity ? *named.identity == 0 : named.any.value_or(1) == 0;
  const int identity = named.identity.value_or(0);
  CodingChoice choice{Coding::identity, refused};
  if (zstd > 0 && zstd >= gzip && zstd >= identity) choice.coding = Coding::zstd;
  if (gzip > zstd && gzip >= identity) choice.coding = Coding::gzip;
  return choice;
}

void restore_entity_tags(Headers& request_headers) {
  for (auto& header : request_headers) {
    if (!is_named(header, "If-None-Match")) continue;
    for (const auto suffix : kTagSuffixes) {
      const auto ending = std::string(suffix) + '"';
      for (auto at = header.value.find(ending); at != std::string::npos; at = header.value.find(ending, at)) {
        header.value.erase(at, suffix.size());
      }
    }
  }
}

bool will_compress(const Headers& request_headers, const Response& response) {
  const auto text = response.text();
  return response.status != 304 && text.size() >= kCompressBytesMin &&
         compresses(choose_coding(request_headers), text) && is_compressible(response);
}

void encode_response(const Headers& request_headers, Response& response) {
  const auto choice = choose_coding(request_headers);
  if (response.status == 304) {
    add_vary(response.headers);
    suffix_not_modified(request_headers, choice.coding, response);
    return;
  }
  const auto text = response.text();
  if (text.empty() || !is_compressible(response)) return;
  add_vary(response.headers);
  if (!compresses(choice, text)) return;
  response.body = choice.coding == Coding::gzip ? gzip_compressed(text) : zstd_compressed(text);
  response.shared_body = nullptr;
  response.headers.push_back({"Content-Encoding", std::string(name_of(choice.coding))});
  suffix_entity_tag(response.headers, suffix_of(choice.coding));
}

std::string gzip_compressed(std::string_view data) {
  constexpr int kGzipWindowBits = 15 + 16;  // 16: a gzip header instead of zlib's
  constexpr int kMemoryLevel = 8;
  z_stream stream{};
  if (deflateInit2(&stream, kGzipLevel, Z_DEFLATED, kGzipWindowBits, kMemoryLevel, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::runtime_error("gzip cannot start");
  }
  std::string out(deflateBound(&stream, data.size()), '\0');
  std::string in(data);
  stream.next_in = static_cast<Bytef*>(static_cast<void*>(in.data()));
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = static_cast<Bytef*>(static_cast<void*>(out.data()));
  stream.avail_out = static_cast<uInt>(out.size());
  const int outcome = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (outcome != Z_STREAM_END) throw std::runtime_error("gzip failed");
  return out;
}

std::string zstd_compressed(std::string_view data) {
  std::string out(ZSTD_compressBound(data.size()), '\0');
  const auto size = ZSTD_compress(out.data(), out.size(), data.data(), data.size(), kZstdLevel);
  if (ZSTD_isError(size) != 0) throw std::runtime_error("zstd failed");
  out.resize(size);
  return out;
}

}  // namespace tonearm::native
