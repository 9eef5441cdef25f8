#include "http/strict_head.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "tonearm/ascii.h"
#include "tonearm/http_fields.h"

namespace tonearm::native {
namespace {

bool is_one_of(std::string_view chars, char c) { return chars.find(c) != std::string_view::npos; }

template <class Predicate>
bool all_of(std::string_view text, Predicate holds) {
  return std::all_of(text.begin(), text.end(), holds);
}

/// RFC 9110, 5.5: visible characters, spaces, tabs and bytes over 0x7f.
bool is_value_char(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return c == '\t' || (byte >= 0x20 && byte != 0x7f);
}

bool is_target_char(char c) { return c > 0x20 && c < 0x7f && !is_one_of("\"<>#\\", c); }

/// uri-host [":" port]. Of the names that RFC 3986 allows, accepts those that can be host names.
bool is_host(std::string_view value) {
  const bool in_brackets = value.starts_with('[');
  const auto end = in_brackets ? value.find(']') : std::min(value.find(':'), value.size());
  if (end == std::string_view::npos) return false;
  const auto name = value.substr(in_brackets ? 1 : 0, in_brackets ? end - 1 : end);
  const auto port = value.substr(in_brackets ? end + 1 : end);
  const auto in_address = [](char c) { return ascii::hex_value(c) >= 0 || c == ':' || c == '.'; };
  const auto in_name = [](char c) { return ascii::is_alphanumeric(c) || is_one_of("-._", c); };
  const bool is_name =
      in_brackets ? name.size() >= 2 && all_of(name, in_address) : !name.empty() && all_of(name, in_name);
  return is_name && (port.empty() || (port[0] == ':' && port.size() <= 6 && all_of(port.substr(1), ascii::is_digit)));
}

/// Returns what follows "http://" or "https://" in a target in absolute form, or nothing for another form.
std::optional<std::string_view> after_scheme(std::string_view target) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (ascii::equals_ignoring_case(target.substr(0, scheme.size()), scheme)) return target.substr(scheme.size());
  }
  return std::nullopt;
}

/// RFC 9112, 3.2: the forms that a server accepts if it is not a proxy. The authority of the absolute form has the
/// syntax of a Host field.
bool is_target(std::string_view method, std::string_view target) {
  if (target == "*") return method == "OPTIONS";
  if (!all_of(target, is_target_char)) return false;
  const auto rest = after_scheme(target);
  return rest ? is_host(rest->substr(0, rest->find_first_of("/?"))) : target.starts_with('/');
}

/// Returns whether `value` is a decimal number of at most 63 bits.
bool is_length(std::string_view value) {
  constexpr std::string_view kMax = "9223372036854775807";
  return ascii::is_digits(value) && (value.size() < kMax.size() || (value.size() == kMax.size() && value <= kMax));
}

constexpr std::size_t kRequestLineBytesMax = kMethodBytesMax + kTargetBytesMax + sizeof(" HTTP/1.1\r\n");
constexpr HeadError kTargetTooLong{414, "The request target is longer than 16,384 bytes."};
constexpr HeadError kHeadTooLong{431, "The header of the request is longer than 32,768 bytes."};

/// Returns whether the last quoted string is not closed.
bool has_open_quote(std::string_view text) {
  bool is_open = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') {
      is_open = !is_open;
    } else if (is_open && text[i] == '\\') {
      ++i;
    }
  }
  return is_open;
}

struct FieldLine {
  std::string_view text;
  std::string_view name;   // the whole text if there is no colon
  std::size_t number = 0;  // counted from 1
};

/// The fields of a head about host, connection, body and expectation. A repeated field has its last value.
struct Fields {
  bool is_http_1_1 = true;
  int hosts = 0;
  int codings = 0;
  int lengths = 0;
  std::string_view host;
  std::string_view coding;
  std::string_view length;
  bool expects_continue = false;
  bool expects_other = false;
  // The options of all Connection fields.
  bool has_close = false;
  bool has_keep_alive = false;
  bool has_malformed_option = false;
};

/// A condition on a part of a head. The first rule that does not hold determines the response.
template <class Part>
struct Rule {
  int status;
  std::string_view message;
  bool (*holds)(const Part& part);
};

constexpr std::array<Rule<RequestLine>, 6> kRequestLineRules{{
    // RFC 9112, 3
    {400, "The request line must be a method, a target and a version, with one space between.",
     [](const RequestLine& line) { return line.has_three_parts; }},
    // RFC 9110, 9.1
    {400, "The method is malformed.",
     [](const RequestLine& line) {
       return http_fields::is_token(line.method) && line.method.size() <= kMethodBytesMax;
     }},
    // RFC 9110, 15.5.15
    {kTargetTooLong.status, kTargetTooLong.message,
     [](const RequestLine& line) { return line.target.size() <= kTargetBytesMax; }},
    // RFC 9110, 9.3.6 and 15.6.2. RFC 9112, 3.2.3
    {501, "This server is no proxy: it opens no tunnels.",
     [](const RequestLine& line) { return line.method != "CONNECT" || !is_host(line.target); }},
    // RFC 9112, 3.2.1, 3.2.2 and 3.2.4. RFC 3986, 3.3 and 3.4: what it may hold.
    {400,
     "The request target must be a path that begins with '/' and a query, percent-encoded where it needs to be, or "
     "such a URL of this server.",
     [](const RequestLine& line) { return is_target(line.method, line.target); }},
    // RFC 9112, 2.3
    {400, "The version must be HTTP/1.1 or HTTP/1.0.",
     [](const RequestLine& line) { return line.version == "HTTP/1.1" || line.version == "HTTP/1.0"; }},
}};

constexpr std::array<Rule<FieldLine>, 4> kFieldRules{{
    // RFC 9112, 5.2
    {400, "A header field must not be folded over several lines.",
     [](const FieldLine& line) { return !is_one_of(" \t", line.text[0]); }},
    // RFC 9112, 5
    {400, "A header field has no colon.", [](const FieldLine& line) { return line.name.size() < line.text.size(); }},
    // RFC 9110, 5.1. RFC 9112, 5.1: no white space before the colon.
    {400, "The name of a header field is malformed.",
     [](const FieldLine& line) { return http_fields::is_token(line.name); }},
    // RFC 6585, 5
    {431, "The request has more than 100 header fields.",
     [](const FieldLine& line) { return line.number <= kFieldsMax; }},
}};

constexpr std::array<Rule<Fields>, 9> kHeadRules{{
    // RFC 9112, 3.2, for these two. RFC 9110, 7.2, for the third.
    {400, "The request has more than one Host field.", [](const Fields& fields) { return fields.hosts <= 1; }},
    {400, "The request has no Host field.",
     [](const Fields& fields) { return fields.hosts == 1 || !fields.is_http_1_1; }},
    {400, "The Host field must be a host name or address with an optional port.",
     [](const Fields& fields) { return fields.hosts == 0 || is_host(fields.host); }},
    // RFC 9112, 6.1 and 6.3: what two recipients could interpret differently is rejected.
    {400, "The request has both Transfer-Encoding and Content-Length.",
     [](const Fields& fields) { return fields.codings == 0 || fields.lengths == 0; }},
    {400, "HTTP/1.0 has no Transfer-Encoding.",
     [](const Fields& fields) { return fields.codings == 0 || fields.is_http_1_1; }},
    // RFC 9112, 7: the names of codings are case-insensitive.
    {400, "The only Transfer-Encoding taken is chunked.",
     [](const Fields& fields) {
       return fields.codings == 0 || (fields.codings == 1 && ascii::equals_ignoring_case(fields.coding, "chunked"));
     }},
    // RFC 9110, 8.6
    {400, "The Content-Length must be one decimal number.",
     [](const Fields& fields) { return fields.lengths == 0 || (fields.lengths == 1 && is_length(fields.length)); }},
    // RFC 9110, 10.1.1
    {417, "The only expectation that can be met is 100-continue.",
     [](const Fields& fields) { return !fields.expects_other; }},
    // RFC 9110, 7.6.1
    {400, "The Connection field must be a list of names.",
     [](const Fields& fields) { return !fields.has_malformed_option; }},
}};

template <class Part, std::size_t Count>
std::optional<HeadError> check(const Part& part, const std::array<Rule<Part>, Count>& rules) {
  const auto broken = std::find_if(rules.begin(), rules.end(), [&](const auto& rule) { return !rule.holds(part); });
  if (broken == rules.end()) return std::nullopt;
  return HeadError{broken->status, broken->message};
}

/// RFC 9110, 5.6.1: empty elements are allowed.
bool is_token_list(std::string_view list) {
  while (!list.empty()) {
    const auto element = http_fields::next_element(list, ',');
    if (!element.empty() && !http_fields::is_token(element)) return false;
  }
  return true;
}

void record(const FieldLine& line, Fields& fields) {
  const auto value = http_fields::trimmed(line.text.substr(line.name.size() + 1));
  const auto is = [&line](std::string_view name) { return ascii::equals_ignoring_case(line.name, name); };
  const auto count = [&](std::string_view name, int& number, std::string_view& last) {
    if (!is(name)) return;
    ++number;
    last = value;
  };
  count("Host", fields.hosts, fields.host);
  count("Transfer-Encoding", fields.codings, fields.coding);
  count("Content-Length", fields.lengths, fields.length);
  if (fields.is_http_1_1 && is("Expect")) {
    (ascii::equals_ignoring_case(value, "100-continue") ? fields.expects_continue : fields.expects_other) = true;
  }
  if (is("Connection")) {
    fields.has_close = fields.has_close || http_fields::has_token(value, "close");
    fields.has_keep_alive = fields.has_keep_alive || http_fields::has_token(value, "keep-alive");
    fields.has_malformed_option = fields.has_malformed_option || !is_token_list(value);
  }
}

/// REQUIRES: the rules hold for the fields.
Framing framing_of(const Fields& fields) {
  Framing framing;
  framing.minor_version = fields.is_http_1_1 ? 1 : 0;
  framing.is_persistent = !fields.has_close && (fields.is_http_1_1 || fields.has_keep_alive);
  framing.body.is_chunked = fields.codings > 0;
  framing.body.expects_continue = fields.expects_continue;
  std::from_chars(fields.length.data(), fields.length.data() + fields.length.size(), framing.body.length);
  return framing;
}

/// Returns the first error of the text from `begin` on, which contains no LF. A CR is allowed only at its end.
std::optional<HeadError> check_text(std::string_view bytes, std::size_t begin) {
  for (std::size_t i = begin; i < bytes.size(); ++i) {
    if (i > 0 && bytes[i - 1] == '\r') return HeadError{400, "A CR must be followed by LF."};
    if (bytes[i] != '\r' && !is_value_char(bytes[i])) {  // RFC 9110, 5.5
      return HeadError{400, "The header of the request holds a control character."};
    }
  }
  return std::nullopt;
}

/// `head`: lines that end in CRLF; the last one is empty. Sets `framing` if there is no error.
std::optional<HeadError> check_head(std::string_view head, Framing& framing) {
  const auto request_line = split_request_line(next_line(head));
  if (auto error = check(request_line, kRequestLineRules)) return error;
  Fields fields;
  fields.is_http_1_1 = request_line.version.back() == '1';
  std::size_t number = 0;
  for (auto text = next_line(head); !text.empty(); text = next_line(head)) {
    const FieldLine line{text, text.substr(0, text.find(':')), ++number};
    if (auto error = check(line, kFieldRules)) return error;
    record(line, fields);
  }
  auto error = check(fields, kHeadRules);
  if (!error) framing = framing_of(fields);
  return error;
}

}  // namespace

StrictHead::State StrictHead::refuse(const HeadError& error) {
  error_ = error;
  return State::refused;
}

StrictHead::State StrictHead::scan(std::string_view bytes) {
  while (scanned_ < bytes.size()) {
    const auto line_end = std::min(bytes.find('\n', scanned_), bytes.size());
    if (const auto error = scan_text(bytes.substr(0, line_end))) return refuse(*error);
    if (line_end == bytes.size()) return State::more;
    // RFC 9112, 2.2
    if (line_end == 0 || bytes[line_end - 1] != '\r') return refuse({400, "A line must end in CR LF."});
    const bool is_empty = line_end - 1 == line_begin_;
    const bool is_last = is_empty && !in_request_line_;
    scanned_ = line_begin_ = line_end + 1;
    if (is_empty && in_request_line_) {
      if (begin_ != 0) return refuse({400, "The request must begin with a request line."});
      begin_ = line_begin_;
    } else {
      in_request_line_ = false;
    }
    if (scanned_ - begin_ > kHeadBytesMax) return refuse(kHeadTooLong);
    if (is_last) {
      const auto error = check_head(bytes.substr(begin_, scanned_ - begin_), framing_);
      return error ? refuse(*error) : State::accepted;
    }
  }
  return State::more;
}

/// Scans up to the end of a line, or of what arrived of it. `bytes` end there.
std::optional<HeadError> StrictHead::scan_text(std::string_view bytes) {
  // RFC 9110, 15.5.15, and RFC 6585, 5
  const auto end_max = begin_ + (in_request_line_ ? kRequestLineBytesMax : kHeadBytesMax);
  const auto end = std::min(bytes.size(), end_max + 1);
  if (auto error = check_text(bytes.substr(0, end), scanned_)) return error;
  scanned_ = end;
  if (end <= end_max) return std::nullopt;
  return in_request_line_ ? kTargetTooLong : kHeadTooLong;
}

RequestLine split_request_line(std::string_view line) {
  const auto first = line.find(' ');
  const auto last = line.rfind(' ');
  if (first == last) return {};
  return {true, line.substr(0, first), line.substr(first + 1, last - first - 1), line.substr(last + 1)};
}

std::string_view next_line(std::string_view& bytes) {
  const auto line = bytes.substr(0, bytes.find('\r'));
  bytes.remove_prefix(line.size() + 2);
  return line;
}

std::string origin_form(std::string_view target) {
  const auto rest = after_scheme(target);
  if (!rest) return std::string(target);
  const auto path = rest->substr(std::min(rest->find_first_of("/?"), rest->size()));
  return path.starts_with('/') ? std::string(path) : '/' + std::string(path);
}

namespace {

/// Scans the trailer of a chunked body and the empty line that ends it.
ChunkStart scan_trailer(std::string_view bytes) {
  using State = ChunkStart::State;
  const std::size_t size = bytes.size();
  std::size_t number = 0;
  while (true) {
    const auto end = bytes.find('\n');
    const auto text = bytes.substr(0, end == std::string_view::npos ? end : end - std::min<std::size_t>(end, 1));
    if (size - bytes.size() + std::min(end, bytes.size()) > kTrailerBytesMax) return {State::malformed};
    if (end == std::string_view::npos) {
      // A CR may be the start of a CRLF.
      const auto so_far = text.ends_with('\r') ? text.substr(0, text.size() - 1) : text;
      return {all_of(so_far, is_value_char) ? State::more : State::malformed};
    }
    if (end == 0 || bytes[end - 1] != '\r' || !all_of(text, is_value_char)) return {State::malformed};
    bytes.remove_prefix(end + 1);
    if (text.empty()) return {State::last, size - bytes.size()};
    const FieldLine line{text, text.substr(0, text.find(':')), ++number};
    if (check(line, kFieldRules)) return {State::malformed};
    // RFC 9110, 6.5.1: fields that frame or route a message are not allowed in a trailer.
    for (const std::string_view name : {"Content-Length", "Transfer-Encoding", "Host", "Trailer"}) {
      if (ascii::equals_ignoring_case(line.name, name)) return {State::malformed};
    }
  }
}

}  // namespace

ChunkStart scan_chunk_start(BeforeChunk before, std::string_view bytes) {
  using State = ChunkStart::State;
  // RFC 9112, 7.1: [CRLF of the data before] chunk-size [chunk-ext] CRLF.
  constexpr std::string_view kCrlf = "\r\n";
  const std::size_t all = bytes.size();
  if (before == BeforeChunk::data) {
    const auto line_end = bytes.substr(0, kCrlf.size());
    if (!kCrlf.starts_with(line_end)) return {State::malformed};
    bytes.remove_prefix(line_end.size());
  }
  const auto size = bytes.substr(0, bytes.find_first_not_of("0123456789abcdefABCDEF"));
  bytes.remove_prefix(size.size());
  if (size.size() > kChunkSizeDigitsMax || (size.empty() && !bytes.empty())) return {State::malformed};
  // RFC 9112, 7.1.1, without white space before the extension.
  const auto extension = bytes.substr(0, bytes.find('\r'));
  bytes.remove_prefix(extension.size());
  if (extension.size() > kChunkExtensionBytesMax || !all_of(extension, is_value_char)) return {State::malformed};
  if (!extension.empty() && extension[0] != ';') return {State::malformed};
  // RFC 9110, 5.6.4: a quoted string ends on its line. Beast would search for its end in all that follows.
  if (!bytes.empty() && has_open_quote(extension)) return {State::malformed};
  if (!kCrlf.starts_with(bytes.substr(0, kCrlf.size()))) return {State::malformed};
  if (bytes.size() < kCrlf.size()) return {State::more};
  if (!all_of(size, [](char c) { return c == '0'; })) return {State::chunk};
  bytes.remove_prefix(kCrlf.size());
  auto end = scan_trailer(bytes);  // RFC 9112, 7.1.2
  end.bytes += all - bytes.size();
  return end;
}

}  // namespace tonearm::native
