#include "admin/export_file.h"

#include <openssl/evp.h>

#include <array>
#include <boost/json.hpp>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <utility>

#include "tonearm/ascii.h"
#include "tonearm/dates.h"

namespace tonearm::native {
namespace {

namespace json = boost::json;

constexpr std::string_view kFormat = "tonearm-state";
constexpr std::int64_t kVersion = 1;
constexpr std::size_t kLineBytesMax = std::size_t{4} * 1024 * 1024;

std::string end_line(std::uint64_t lines, const std::string& sha256) {
  return json::serialize(json::object{{"type", "end"}, {"lines", lines}, {"sha256", sha256}});
}

/// Returns an empty object if the text is not a JSON object.
json::object object_of(const std::string& line) {
  json::error_code error;
  auto value = json::parse(line, error);
  if (error || !value.is_object()) return {};
  return std::move(value.as_object());
}

std::string text_in(const json::object& object, std::string_view name) {
  const auto* value = object.if_contains(name);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

std::int64_t number_in(const json::object& object, std::string_view name) {
  const auto* value = object.if_contains(name);
  return value != nullptr && value->is_int64() ? value->get_int64() : -1;
}

}  // namespace

struct RunningSha256::Context {
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> digest{EVP_MD_CTX_new(), EVP_MD_CTX_free};
};

RunningSha256::RunningSha256() : context_(std::make_unique<Context>()) {
  if (!context_->digest || EVP_DigestInit_ex(context_->digest.get(), EVP_sha256(), nullptr) != 1) {
    throw std::runtime_error("cannot compute a SHA-256");
  }
}

RunningSha256::~RunningSha256() = default;

void RunningSha256::append(std::string_view bytes) {
  if (EVP_DigestUpdate(context_->digest.get(), bytes.data(), bytes.size()) != 1) {
    throw std::runtime_error("cannot compute a SHA-256");
  }
}

std::string RunningSha256::finish() {
  std::array<std::uint8_t, 32> digest{};
  if (EVP_DigestFinal_ex(context_->digest.get(), digest.data(), nullptr) != 1) {
    throw std::runtime_error("cannot compute a SHA-256");
  }
  return ascii::to_hex(digest);
}

ExportFileWriter::ExportFileWriter(const std::string& path, std::string_view key_secret_sha256, std::int64_t made_ms)
    : file_(path) {
  append(json::serialize(json::object{{"format", kFormat},
                                      {"version", kVersion},
                                      {"made", rfc3339(made_ms)},
                                      {"key_secret_sha256", key_secret_sha256}}));
}

void ExportFileWriter::append(std::string_view line) {
  if (line.empty() || line.find('\n') != std::string_view::npos)
    throw std::runtime_error("the server sent an invalid line");
  hash_.append(line);
  hash_.append("\n");
  write(line);
}

void ExportFileWriter::write(std::string_view line) {
  file_.append(line);
  file_.append("\n");
  ++lines_;
}

void ExportFileWriter::finish() {
  write(end_line(lines_, hash_.finish()));
  file_.publish();
}

ExportFileReader::ExportFileReader(std::string path) : path_(std::move(path)) {
  RunningSha256 hash;
  std::string last;
  read_all([&](std::uint64_t number, const std::string& line) {
    if (number == 1) check_header(line);
    if (number > 1) {
      hash.append(last);
      hash.append("\n");
    }
    last = line;
    lines_ = number;
  });
  if (lines_ == 0) refuse("is empty");
  check_end(last, lines_ - 1, hash.finish());
}

void ExportFileReader::check_header(const std::string& line) {
  const auto header = object_of(line);
  if (text_in(header, "format") != kFormat) refuse("is not an exported state: its first line has no such format");
  const auto* version = header.if_contains("version");
  if (number_in(header, "version") != kVersion) {
    refuse("has the version " + (version == nullptr ? std::string("none") : json::serialize(*version)) +
           ", and this program reads version " + std::to_string(kVersion) +
           " only: use the tonearm-admin that made it");
  }
  key_secret_sha256_ = text_in(header, "key_secret_sha256");
}

void ExportFileReader::check_end(const std::string& line, std::uint64_t lines, const std::string& sha256) const {
  if (text_in(object_of(line), "type") != "end") refuse("is truncated: its last line is missing");
  if (line != end_line(lines, sha256)) {
    refuse("was altered or damaged: its last line does not match the " + std::to_string(lines) + " lines before it");
  }
}

void ExportFileReader::read(const std::function<void(std::uint64_t number, const std::string& line)>& visit) const {
  read_all([&](std::uint64_t number, const std::string& line) {
    if (number > 1 && number < lines_) visit(number, line);
  });
}

void ExportFileReader::read_all(const std::function<void(std::uint64_t number, const std::string& line)>& visit) const {
  std::ifstream file(path_, std::ios::binary);
  if (!file) throw std::runtime_error("cannot open " + path_ + ": " + std::strerror(errno));
  std::uint64_t number = 0;
  std::string line;
  constexpr std::size_t kChunkBytes = 64 * 1024;
  std::string chunk(kChunkBytes, '\0');
  while (file) {
    file.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    std::string_view rest(chunk.data(), static_cast<std::size_t>(file.gcount()));
    for (auto end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
      line += rest.substr(0, end);
      rest.remove_prefix(end + 1);
      visit(++number, line);
      line.clear();
    }
    line += rest;
    if (line.size() > kLineBytesMax) refuse("has a line that is too long, after line " + std::to_string(number));
  }
  if (file.bad()) throw std::runtime_error("cannot read " + path_);
  if (!line.empty()) refuse("is truncated within line " + std::to_string(number + 1));
}

void ExportFileReader::refuse(const std::string& why) const { throw std::runtime_error(path_ + ' ' + why); }

}  // namespace tonearm::native
