#include "http/response_head.h"

#include <algorithm>
#include <array>
#include <boost/beast/http/status.hpp>
#include <chrono>
#include <optional>
#include <span>
#include <stdexcept>

#include "tonearm/ascii.h"
#include "tonearm/dates.h"
#include "tonearm/result.h"
#include "tonearm/service.h"

namespace tonearm::native {
namespace {

namespace http = boost::beast::http;

ErrorCode code_of(int status) {
  if (status == 503) return ErrorCode::unavailable;
  if (status == 429) return ErrorCode::rate_limited;
  return status == 500 ? ErrorCode::internal_error : ErrorCode::invalid_request;
}

/// RFC 9110, 15.5.14 and 15.5.21, rename two of Beast's.
std::string_view reason_of(int status) {
  if (status == 413) return "Content Too Large";
  if (status == 422) return "Unprocessable Content";
  return http::obsolete_reason(static_cast<http::status>(status));
}

/// Counts without a branch, because every response passes here.
std::size_t count_controls(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    count += static_cast<std::size_t>((byte < 0x20 && byte != '\t') || byte == 0x7f);
  }
  return count;
}

bool is_request_id(std::string_view id) {
  return !id.empty() && id.size() <= 64 &&
         id.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-") ==
             std::string_view::npos;
}

/// The random bytes of the next ids of a thread: one system call for all.
struct RandomBatch {
  static constexpr std::size_t kIdBytes = 12;
  static constexpr std::size_t kIds = 64;

  std::array<std::uint8_t, kIdBytes * kIds> bytes{};
  std::size_t ids = 0;  // that are left
};

/// Formats the Date field. A thread formats each second once.
const std::string& date_of(std::int64_t now_ms) {
  using std::chrono::seconds;
  const auto now = std::chrono::floor<seconds>(std::chrono::milliseconds(now_ms));
  thread_local std::optional<seconds> formatted;
  thread_local std::string date;
  if (now != formatted) {
    date = http_date(now_ms);
    formatted = now;
  }
  return date;
}

}  // namespace

Response refusal(int status, std::string_view message) {
  Error error{code_of(status), std::string(message)};
  if (status == 429) error.retry_after_s = 1;
  auto response = error_response(error);
  response.status = status;
  return response;
}

std::string RequestIds::id_for(const Headers& request_headers) {
  const auto* given = find_header(request_headers, "X-Request-Id");
  if (given != nullptr && is_request_id(*given)) return *given;
  thread_local RandomBatch batch;
  if (batch.ids == 0) {
    random_.fill(batch.bytes);
    batch.ids = RandomBatch::kIds;
  }
  --batch.ids;
  return ascii::to_hex(std::span(batch.bytes).subspan(batch.ids * RandomBatch::kIdBytes, RandomBatch::kIdBytes));
}

std::string render_head(const Response& response, const HostFields& values) {
  constexpr std::size_t kUsualBytes = 512;
  std::string out;
  out.reserve(kUsualBytes);
  out.append("HTTP/1.1 ").append(std::to_string(response.status)).append(" ");
  out.append(reason_of(response.status)).append("\r\n");
  std::size_t lines = 2;  // the first and the empty one
  const auto append = [&](std::string_view name, std::string_view value) {
    out.append(name).append(": ").append(value).append("\r\n");
    ++lines;
  };
  for (const auto& [name, value] : response.headers) append(name, value);
  // RFC 9110, 8.6: these statuses have no body and no length.
  if (response.status != 204 && response.status != 304) {
    const std::uint64_t size = response.source != nullptr ? response.source->size() : response.text().size();
    append("Content-Length", std::to_string(size));
  }
  append("Date", date_of(values.now_ms));
  append("Server", "tonearm");
  append("X-Content-Type-Options", "nosniff");
  append("X-Request-Id", values.request_id);
  if (!values.keep_alive) {
    append("Connection", "close");
  } else if (values.minor_version == 0) {
    append("Connection", "keep-alive");
  }
  out.append("\r\n");
  if (count_controls(out) != 2 * lines) throw std::logic_error("a response field contains a control character");
  return out;
}

}  // namespace tonearm::native
