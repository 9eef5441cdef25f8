#include "answer_head.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <stdexcept>

#include "tonearm/result.h"
#include "tonearm/service.h"

namespace tonearm::native {
namespace {

struct Reason {
  int status;
  std::string_view phrase;
};

constexpr std::array<Reason, 24> kReasons{{
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {204, "No Content"},
    {304, "Not Modified"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {402, "Payment Required"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {417, "Expectation Failed"},
    {422, "Unprocessable Content"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {503, "Service Unavailable"},
}};

std::string_view reason_of(int status) {
  for (const auto& reason : kReasons) {
    if (reason.status == status) return reason.phrase;
  }
  return "Status";
}

ErrorCode code_of(int status) {
  if (status == 503) return ErrorCode::unavailable;
  if (status >= 500) return ErrorCode::internal_error;
  if (status == 401) return ErrorCode::invalid_api_key;
  if (status == 404) return ErrorCode::not_found;
  if (status == 405) return ErrorCode::method_not_allowed;
  return ErrorCode::invalid_request;
}

void append_field(std::string& out, std::string_view name, std::string_view value) {
  const auto splits = [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == '\x7f'; };
  if (std::any_of(name.begin(), name.end(), splits) || std::any_of(value.begin(), value.end(), splits)) {
    throw std::logic_error("a field of an answer holds a control character");
  }
  out.append(name).append(": ").append(value).append("\r\n");
}

bool is_request_id(std::string_view id) {
  return !id.empty() && id.size() <= 64 &&
         id.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-") ==
             std::string_view::npos;
}

}  // namespace

Response refusal(int status, std::string_view message) {
  auto response = error_response({code_of(status), std::string(message)});
  response.status = status;
  return response;
}

std::string request_id(const Headers& request_headers, Random& random) {
  const auto* given = find_header(request_headers, "X-Request-Id");
  if (given != nullptr && is_request_id(*given)) return *given;
  std::array<std::uint8_t, 12> bytes;
  random.fill(bytes);
  std::string id;
  for (const auto byte : bytes) {
    id += "0123456789abcdef"[byte >> 4U];
    id += "0123456789abcdef"[byte & 15U];
  }
  return id;
}

std::string http_date(std::int64_t now_ms) {
  constexpr std::array<const char*, 7> kDays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array<const char*, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto seconds = static_cast<std::time_t>(now_ms / 1000);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  std::array<char, 64> text{};
  const int size = std::snprintf(text.data(), text.size(), "%s, %02d %s %04d %02d:%02d:%02d GMT",
                                 kDays[static_cast<std::size_t>(utc.tm_wday)], utc.tm_mday,
                                 kMonths[static_cast<std::size_t>(utc.tm_mon)], utc.tm_year + 1900, utc.tm_hour,
                                 utc.tm_min, utc.tm_sec);
  return {text.data(), static_cast<std::size_t>(size)};
}

std::string render_answer_head(const AnswerHead& answer) {
  const auto& response = answer.response;
  std::string out = "HTTP/1.1 " + std::to_string(response.status) + ' ';
  out.append(reason_of(response.status)).append("\r\n");
  for (const auto& [name, value] : response.headers) append_field(out, name, value);
  // RFC 9110, 8.6: no length where there is no body by definition.
  if (response.status != 204 && response.status != 304) {
    const std::uint64_t size = response.source != nullptr ? response.source->size() : response.body.size();
    append_field(out, "Content-Length", std::to_string(size));
  }
  append_field(out, "Date", http_date(answer.now_ms));
  append_field(out, "Server", "tonearm");
  append_field(out, "X-Content-Type-Options", "nosniff");
  append_field(out, "X-Request-Id", answer.request_id);
  if (!answer.keep_alive) {
    append_field(out, "Connection", "close");
  } else if (answer.minor_version == 0) {
    append_field(out, "Connection", "keep-alive");
  }
  return out.append("\r\n");
}

}  // namespace tonearm::native
