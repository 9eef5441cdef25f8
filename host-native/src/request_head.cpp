#include "request_head.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace tonearm::native {
namespace {

constexpr std::string_view kTargetFault =
    "The request target must be a path that begins with '/' and a query, percent-encoded where it needs to be.";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_alpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// RFC 9110, 5.6.2: tchar.
bool is_token_char(char c) {
  return is_alpha(c) || is_digit(c) || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool is_token(std::string_view text) { return !text.empty() && std::all_of(text.begin(), text.end(), is_token_char); }

/// RFC 9110, 5.5: a field value holds visible characters, spaces, tabs and obs-text.
bool is_value_char(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return c == '\t' || (byte >= 0x20 && byte != 0x7f);
}

bool is_target_char(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte > 0x20 && byte < 0x7f && std::string_view("\"<>#\\").find(c) == std::string_view::npos;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// uri-host [":" port]. Of the names that RFC 3986 would allow, those that can be names of hosts.
bool is_host(std::string_view value) {
  std::string_view port;
  if (!value.empty() && value.front() == '[') {
    const auto close = value.find(']');
    if (close == std::string_view::npos || close < 3) return false;
    const auto address = value.substr(1, close - 1);
    if (!std::all_of(address.begin(), address.end(), [](char c) { return is_hex(c) || c == ':' || c == '.'; })) {
      return false;
    }
    port = value.substr(close + 1);
  } else {
    const auto colon = std::min(value.find(':'), value.size());
    const auto name = value.substr(0, colon);
    const auto name_char = [](char c) { return is_alpha(c) || is_digit(c) || c == '-' || c == '.' || c == '_'; };
    if (name.empty() || !std::all_of(name.begin(), name.end(), name_char)) return false;
    port = value.substr(colon);
  }
  if (port.empty()) return true;
  return port.front() == ':' && port.size() <= 6 && std::all_of(port.begin() + 1, port.end(), is_digit);
}

std::optional<std::uint64_t> content_length(std::string_view value) {
  if (value.empty() || value.size() > 19 || !std::all_of(value.begin(), value.end(), is_digit)) return std::nullopt;
  std::uint64_t length = 0;  // 19 digits fit
  for (const char c : value) length = length * 10 + static_cast<std::uint64_t>(c - '0');
  if (length > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return std::nullopt;
  return length;
}

HeadFault bad(std::string_view message) { return {400, std::string(message)}; }

std::optional<HeadFault> read_request_line(std::string_view line, CheckedHead& out) {
  const auto first = line.find(' ');
  const auto last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) {
    return bad("The request line must be a method, a target and a version, with one space between.");
  }
  const auto method = line.substr(0, first);
  const auto target = line.substr(first + 1, last - first - 1);
  const auto version = line.substr(last + 1);
  if (!is_token(method) || method.size() > kMethodBytesMax) return bad("The method is malformed.");
  if (target.size() > kTargetBytesMax) return HeadFault{414, "The request target is longer than 16,384 bytes."};
  // Only the origin form (RFC 9112, 3.2.1): this server is no proxy.
  if (target.empty() || target.front() != '/' || !std::all_of(target.begin(), target.end(), is_target_char)) {
    return bad(kTargetFault);
  }
  if (version != "HTTP/1.1" && version != "HTTP/1.0") return bad("The version must be HTTP/1.1 or HTTP/1.0.");
  out.head.method = method;
  out.head.target = target;
  out.minor_version = version.back() - '0';
  return std::nullopt;
}

std::optional<HeadFault> read_field(std::string_view line, Headers& out) {
  if (line.front() == ' ' || line.front() == '\t') {
    return bad("A header field must not be folded over several lines.");
  }
  const auto colon = line.find(':');
  if (colon == std::string_view::npos) return bad("A header field has no colon.");
  const auto name = line.substr(0, colon);
  // Also refuses white space before the colon (RFC 9112, 5.1).
  if (!is_token(name)) return bad("The name of a header field is malformed.");
  const auto value = line.substr(colon + 1);
  if (!std::all_of(value.begin(), value.end(), is_value_char)) {
    return bad("The value of a header field holds a control character.");
  }
  if (out.size() == kFieldsMax) return HeadFault{431, "The request has more than 100 header fields."};
  out.push_back({std::string(name), std::string(trimmed(value))});
  return std::nullopt;
}

/// The one field of that name; `count` says how many there are.
const std::string* only_field(const Headers& headers, std::string_view name, int& count) {
  const std::string* found = nullptr;
  count = 0;
  for (const auto& header : headers) {
    if (!equals_ignoring_case(header.name, name)) continue;
    ++count;
    found = &header.value;
  }
  return found;
}

std::optional<HeadFault> check_host(const CheckedHead& checked) {
  int count = 0;
  const auto* host = only_field(checked.head.headers, "Host", count);
  if (count > 1) return bad("The request has more than one Host field.");
  if (count == 0) {
    if (checked.minor_version == 0) return std::nullopt;
    return bad("The request has no Host field.");
  }
  if (!is_host(*host)) return bad("The Host field must be a host name or address with an optional port.");
  return std::nullopt;
}

/// RFC 9112, 6: how long the body is. Whatever two readers could understand differently is refused.
std::optional<HeadFault> read_framing(CheckedHead& checked) {
  int codings = 0;
  int lengths = 0;
  const auto* coding = only_field(checked.head.headers, "Transfer-Encoding", codings);
  const auto* length = only_field(checked.head.headers, "Content-Length", lengths);
  if (codings > 0) {
    if (lengths > 0) return bad("The request has both Transfer-Encoding and Content-Length.");
    if (checked.minor_version == 0) return bad("HTTP/1.0 has no Transfer-Encoding.");
    if (codings > 1 || *coding != "chunked") return bad("The only Transfer-Encoding taken is chunked.");
    checked.framing = Framing::chunked;
    return std::nullopt;
  }
  if (lengths == 0) return std::nullopt;
  const auto bytes = lengths > 1 ? std::nullopt : content_length(*length);
  if (!bytes) return bad("The Content-Length must be one decimal number.");
  checked.framing = *bytes == 0 ? Framing::none : Framing::content_length;
  checked.content_length = *bytes;
  return std::nullopt;
}

std::optional<HeadFault> read_expectations(CheckedHead& checked) {
  bool close = false;
  bool keep_alive = false;
  for (const auto& [name, value] : checked.head.headers) {
    if (equals_ignoring_case(name, "Connection")) {
      close = close || has_token(value, "close");
      keep_alive = keep_alive || has_token(value, "keep-alive");
    } else if (equals_ignoring_case(name, "Expect") && checked.minor_version == 1) {
      if (!equals_ignoring_case(value, "100-continue")) {
        return HeadFault{417, "The only expectation that can be met is 100-continue."};
      }
      checked.expect_continue = true;
    }
  }
  checked.keep_alive = !close && (checked.minor_version == 1 || keep_alive);
  return std::nullopt;
}

/// Takes the line that begins at `at`, and moves `at` behind its CRLF.
std::optional<std::string_view> take_line(std::string_view bytes, std::size_t& at) {
  const auto end = bytes.find("\r\n", at);
  if (end == std::string_view::npos) return std::nullopt;
  const auto line = bytes.substr(at, end - at);
  at = end + 2;
  return line;
}

}  // namespace

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return lower(x) == lower(y); });
}

bool has_token(std::string_view value, std::string_view token) {
  while (!value.empty()) {
    const auto comma = std::min(value.find(','), value.size());
    if (equals_ignoring_case(trimmed(value.substr(0, comma)), token)) return true;
    value.remove_prefix(std::min(comma + 1, value.size()));
  }
  return false;
}

std::variant<CheckedHead, HeadFault> check_head(std::string_view bytes) {
  if (bytes.size() > kHeadBytesMax) return HeadFault{431, "The header of the request is longer than 32,768 bytes."};
  CheckedHead checked;
  std::size_t at = 0;
  const auto request_line = take_line(bytes, at);
  if (!request_line) return bad("The request line has no end.");
  if (auto fault = read_request_line(*request_line, checked)) return *std::move(fault);
  while (true) {
    const auto line = take_line(bytes, at);
    if (!line) return bad("The header of the request has no end.");
    if (line->empty()) break;
    if (auto fault = read_field(*line, checked.head.headers)) return *std::move(fault);
  }
  if (at != bytes.size()) return bad("The header of the request goes on behind its end.");
  for (const auto check : {+[](CheckedHead& it) { return check_host(it); }, &read_framing, &read_expectations}) {
    if (auto fault = check(checked)) return *std::move(fault);
  }
  return checked;
}

HeadScanner::State HeadScanner::refuse(int status, std::string_view message) {
  fault_ = {status, std::string(message)};
  return State::fault;
}

HeadScanner::State HeadScanner::scan(std::string_view bytes) {
  for (; seen_ < bytes.size(); ++seen_) {
    const char c = bytes[seen_];
    if (c == '\n') {
      if (seen_ == 0 || bytes[seen_ - 1] != '\r') return refuse(400, "A line must end in CR LF.");
      const bool empty = seen_ - 1 == line_begin_;
      line_begin_ = seen_ + 1;
      if (!empty) {
        in_request_line_ = false;
      } else if (!in_request_line_) {
        ++seen_;
        return State::complete;
      } else if (begin_ != 0) {
        return refuse(400, "The request must begin with a request line.");
      } else {
        begin_ = line_begin_;
      }
    } else if (seen_ > 0 && bytes[seen_ - 1] == '\r') {
      return refuse(400, "A CR must be followed by LF.");
    } else if (c != '\r' && !is_value_char(c)) {
      return refuse(400, "The header of the request holds a control character.");
    }
    if (in_request_line_ && seen_ + 1 - begin_ > kMethodBytesMax + kTargetBytesMax + sizeof(" HTTP/1.1\r\n")) {
      return refuse(414, "The request target is longer than 16,384 bytes.");
    }
    if (seen_ + 1 - begin_ > kHeadBytesMax) {
      return refuse(431, "The header of the request is longer than 32,768 bytes.");
    }
  }
  return State::more;
}

}  // namespace tonearm::native
