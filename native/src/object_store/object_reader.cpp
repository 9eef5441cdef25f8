#include "object_store/object_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <thread>
#include <utility>

#include "tonearm/ascii.h"
#include "tonearm/http_fields.h"

namespace tonearm::native {
namespace {

using std::chrono::milliseconds;

constexpr int kAttempts = 3;
constexpr int kRedirectsMax = 5;
constexpr milliseconds kHeadTime{10'000};
constexpr milliseconds kPieceTime{10'000};
/// For a whole response. A slower store is read in several requests.
constexpr milliseconds kResponseTime{300'000};
constexpr milliseconds kPauseStep{50};
constexpr std::size_t kErrorBytesMax = 64 * 1024;
constexpr std::size_t kCodeBytesMax = 64;

/// What a retry may repair.
class TransientFailure final : public Failure {
  using Failure::Failure;
};

std::string field_of(const ClientResponse& response, std::string_view name) {
  const std::string* const value = find_header(response.headers, name);
  return value == nullptr ? std::string() : *value;
}

/// Returns the code of an error of S3, such as SignatureDoesNotMatch; empty if the body has none.
std::string s3_error_code(std::string_view body) {
  constexpr std::string_view kBegin = "<Code>";
  const auto begin = body.find(kBegin);
  if (begin == std::string_view::npos) return {};
  const auto code = body.substr(begin + kBegin.size(), kCodeBytesMax);
  const auto end = code.find('<');
  if (end == std::string_view::npos || !std::ranges::all_of(code.substr(0, end), ascii::is_alphanumeric)) return {};
  return std::string(code.substr(0, end));
}

/// For any status but 206.
[[noreturn]] void throw_status(const ObjectAccess& access, const ClientResponse& response) {
  const int status = response.status;
  if (status == 200) throw StoreRefusal(access.address.text + ": the store does not support byte ranges");
  std::string message = access.address.text + ": the store answered " + std::to_string(status);
  if (const auto code = s3_error_code(response.body); !code.empty()) message += ' ' + code;
  const auto region = field_of(response, "x-amz-bucket-region");
  if (access.address.is_s3 && !region.empty() && region != access.region) {
    message += "; the bucket is in the region " + region;
  }
  if (status == 412) throw ObjectChanged(access.address.text + " was replaced while it was being read");
  if (status >= 500 || status == 408 || status == 429) throw TransientFailure(message);
  throw StoreRefusal(message);
}

struct ContentRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  std::uint64_t size = 0;  // of the whole object
};

/// Parses "bytes 0-99/1000".
std::optional<ContentRange> parse_content_range(std::string_view text) {
  ContentRange range;
  const auto number = [&](std::string_view before, std::uint64_t& value) {
    if (!text.starts_with(before)) return false;
    text.remove_prefix(before.size());
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return error == std::errc();
  };
  const bool is_valid =
      number("bytes ", range.first) && number("-", range.last) && number("/", range.size) && text.empty();
  if (!is_valid || range.last < range.first || range.last >= range.size) return std::nullopt;
  return range;
}

/// Returns the range of a partial response. Throws StoreRefusal if it is none.
ContentRange range_of(const ObjectAccess& access, const ClientResponse& head) {
  if (head.status != 206) throw_status(access, head);
  const auto range = parse_content_range(field_of(head, "Content-Range"));
  if (!range) throw StoreRefusal(access.address.text + ": the store answered with an invalid Content-Range");
  return *range;
}

/// A weak entity tag does not identify bytes.
std::string strong_tag(const ClientResponse& response) {
  auto tag = field_of(response, "ETag");
  return tag.starts_with('"') ? tag : std::string();
}

std::string range_text(std::uint64_t first, std::uint64_t last) {
  return "bytes=" + std::to_string(first) + '-' + std::to_string(last);
}

}  // namespace

ObjectReader::ObjectReader(ObjectAccess access, Random& random, Interrupted interrupted)
    : access_(std::move(access)), random_(random), interrupted_(std::move(interrupted)), trust_(access_.ca_file) {}

ObjectReader::~ObjectReader() = default;

ClientRequest ObjectReader::request_for(const std::string& range) const {
  ClientRequest request{"GET", access_.address.target};
  request.headers.push_back({"Range", range});
  if (!access_.address.is_s3) return request;
  if (const auto key = access_.credentials()) {
    request.signing = RequestSigning{access_.region, key->access_key, key->secret_key, key->session_token};
  }
  return request;
}

ClientResponse ObjectReader::exchange(const ClientRequest& request, Reception reception) {
  reception.until_head = kHeadTime;
  reception.between_pieces = kPieceTime;
  reception.total = kResponseTime;
  reception.interrupted = interrupted_;
  // A signature is for one host, so a redirect of a bucket is an error.
  reception.redirects_max = access_.address.is_s3 ? 0 : kRedirectsMax;
  bool is_plain = !access_.address.server.tls;
  const RedirectCheck check_redirect = [&](const ServerUrl& server) {
    const bool is_allowed = server.tls || (is_plain && (access_.allows_plain_http || is_protected(server)));
    if (!is_allowed) throw StoreRefusal(access_.address.text + ": the store redirects to plain http");
    is_plain = !server.tls;
  };
  reception.redirect_check = &check_redirect;
  if (connection_ == nullptr || !connection_->is_reusable()) {
    connection_ = std::make_unique<ClientConnection>(access_.address.server, trust_);
  }
  try {
    return connection_->exchange(request, reception, AfterExchange::keep);
  } catch (const Failure&) {  // of a callback
    connection_.reset();
    throw;
  } catch (const std::runtime_error& error) {
    connection_.reset();
    throw TransientFailure(error.what());
  }
}

void ObjectReader::pause(int attempt) {
  std::array<std::uint8_t, 1> byte{};
  random_.fill(byte);
  const auto full = access_.pause * (1 << attempt);
  const auto until = std::chrono::steady_clock::now() + full / 2 + full * byte[0] / 255;
  while (std::chrono::steady_clock::now() < until && !(interrupted_ && interrupted_())) {
    std::this_thread::sleep_for(kPauseStep);
  }
}

template <class Attempt>
auto ObjectReader::with_retries(const Attempt& attempt) {
  for (int number = 0;; ++number) {
    try {
      return attempt();
    } catch (const TransientFailure&) {
      if (number + 1 == kAttempts || (interrupted_ && interrupted_())) throw;
    }
    pause(number);
  }
}

std::optional<ObjectEnd> ObjectReader::read_end(std::uint64_t size, const std::string& known) {
  auto request = request_for("bytes=-" + std::to_string(size));
  if (!known.empty()) request.headers.push_back({"If-None-Match", known});
  const HeadCheck check = [&](const ClientResponse& head) {
    if (head.status == 200) static_cast<void>(range_of(access_, head));
  };
  Reception reception;
  reception.check = &check;
  reception.body_bytes_max = std::max<std::size_t>(static_cast<std::size_t>(size), kErrorBytesMax);
  return with_retries([&]() -> std::optional<ObjectEnd> {
    auto response = exchange(request, reception);
    if (response.status == 304 && !known.empty()) return std::nullopt;
    if (response.status != 206) throw_status(access_, response);
    const auto range = range_of(access_, response);
    const auto wanted = std::min(size, range.size);
    if (range.last + 1 != range.size || range.first != range.size - wanted || response.body.size() != wanted) {
      throw TransientFailure(access_.address.text + ": the store answered with another range than requested");
    }
    return ObjectEnd{{range.size, strong_tag(response)}, std::move(response.body)};
  });
}

void ObjectReader::read(const ObjectVersion& version, std::uint64_t offset, std::uint64_t size, const BodySink& sink) {
  const std::uint64_t end = offset + size;
  const HeadCheck check = [&](const ClientResponse& head) {
    if (head.status != 200 && head.status != 206) return;
    const auto range = range_of(access_, head);
    const auto tag = strong_tag(head);
    if (range.size != version.size || (!version.entity_tag.empty() && tag != version.entity_tag)) {
      throw ObjectChanged(access_.address.text + " was replaced while it was being read");
    }
    if (range.first != offset || range.last + 1 != end) {
      throw StoreRefusal(access_.address.text + ": the store answered with another range than requested");
    }
  };
  const BodySink count_and_pass = [&](std::string_view bytes) {
    if (bytes.size() > end - offset) throw StoreRefusal(access_.address.text + ": the store sent too many bytes");
    offset += bytes.size();
    sink(bytes);
  };
  Reception reception;
  reception.check = &check;
  reception.sink = &count_and_pass;
  reception.body_bytes_max = kErrorBytesMax;
  with_retries([&] {
    if (offset == end) return;
    auto request = request_for(range_text(offset, end - 1));
    if (!version.entity_tag.empty()) request.headers.push_back({"If-Match", version.entity_tag});
    const auto response = exchange(request, reception);
    if (response.status != 206) throw_status(access_, response);
    if (offset < end) throw TransientFailure(access_.address.text + ": the store sent too few bytes");
  });
}

}  // namespace tonearm::native
