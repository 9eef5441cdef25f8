#include "api/requests/body.h"

#include <algorithm>
#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/parse.hpp>
#include <cmath>
#include <set>
#include <vector>

#include "api/requests/body_fields.h"
#include "text/unicode.h"

namespace tonearm::api {
namespace {

namespace json = boost::json;
using std::string_view;

constexpr std::size_t kDepthMax = 16;

// ---- Error messages. `subject`: "body" or "line".

Error invalid(std::string message) { return {ErrorCode::invalid_request, std::move(message)}; }
Error about(string_view subject, const std::string& problem) {
  return invalid("The " + std::string(subject) + problem);
}

Error too_large(std::size_t bytes_max) {
  return {ErrorCode::too_large, "The body is larger than " + std::to_string(bytes_max) + " bytes."};
}
Error wrong_content_type(string_view value) {
  return invalid("Content-Type must be application/json in UTF-8; got \"" + text::quotable(value) + "\".");
}
Error encoded_body() { return invalid("A body with a Content-Encoding is not accepted: send it as it is."); }
Error not_an_object(string_view subject) { return about(subject, " must be one JSON object."); }
Error byte_order_mark(string_view subject) {
  return about(subject, " begins with a byte-order mark; send plain UTF-8.");
}
Error not_utf8(string_view subject) { return about(subject, " is not UTF-8."); }
Error too_deep(string_view subject) {
  return about(subject, " is nested deeper than " + std::to_string(kDepthMax) + " levels.");
}
Error lone_surrogate(string_view subject) { return about(subject, " holds a lone surrogate, which is no character."); }
Error number_out_of_range(string_view subject) { return about(subject, " holds a number that is out of range."); }
Error malformed_json(string_view subject, std::size_t offset) {
  return about(subject, " is not one JSON object: fault near byte " + std::to_string(offset) + '.');
}
Error duplicate_key(string_view key) {
  Error error = invalid("The key \"" + text::quotable(key) + "\" stands twice in one object.");
  error.parameter = text::quotable(key);
  return error;
}

/// Rejects duplicate keys and numbers such as 1e999. Boost.JSON itself would keep the last of two equal keys, and parse
/// such a number as infinity.
class StrictHandler {
 public:
  static constexpr std::size_t max_array_size = ~std::size_t{0};
  static constexpr std::size_t max_object_size = ~std::size_t{0};
  static constexpr std::size_t max_string_size = ~std::size_t{0};
  static constexpr std::size_t max_key_size = ~std::size_t{0};

  explicit StrictHandler(string_view subject) : subject_(subject) {}
  const std::optional<Error>& error() const { return error_; }

  static bool on_document_begin(json::error_code& /*ec*/) { return true; }
  static bool on_document_end(json::error_code& /*ec*/) { return true; }
  bool on_object_begin(json::error_code& /*ec*/) {
    keys_.emplace_back();
    return true;
  }
  bool on_object_end(std::size_t /*n*/, json::error_code& /*ec*/) {
    keys_.pop_back();
    return true;
  }
  static bool on_array_begin(json::error_code& /*ec*/) { return true; }
  static bool on_array_end(std::size_t /*n*/, json::error_code& /*ec*/) { return true; }
  bool on_key_part(string_view part, std::size_t /*n*/, json::error_code& /*ec*/) {
    key_ += part;
    return true;
  }
  bool on_key(string_view part, std::size_t /*n*/, json::error_code& ec) {
    key_ += part;
    const bool is_new = keys_.back().insert(key_).second;
    if (!is_new) error_ = duplicate_key(key_);
    key_.clear();
    return check(is_new, ec);
  }
  static bool on_string_part(string_view /*part*/, std::size_t /*n*/, json::error_code& /*ec*/) { return true; }
  static bool on_string(string_view /*part*/, std::size_t /*n*/, json::error_code& /*ec*/) { return true; }
  static bool on_number_part(string_view /*part*/, json::error_code& /*ec*/) { return true; }
  static bool on_int64(std::int64_t /*i*/, string_view /*part*/, json::error_code& /*ec*/) { return true; }
  static bool on_uint64(std::uint64_t /*u*/, string_view /*part*/, json::error_code& /*ec*/) { return true; }
  bool on_double(double d, string_view /*part*/, json::error_code& ec) {
    if (!std::isfinite(d)) error_ = number_out_of_range(subject_);
    return check(std::isfinite(d), ec);
  }
  static bool on_bool(bool /*b*/, json::error_code& /*ec*/) { return true; }
  static bool on_null(json::error_code& /*ec*/) { return true; }
  static bool on_comment_part(string_view /*part*/, json::error_code& /*ec*/) { return true; }
  static bool on_comment(string_view /*part*/, json::error_code& /*ec*/) { return true; }

 private:
  static bool check(bool is_valid, json::error_code& ec) {
    if (!is_valid) ec = make_error_code(json::error::syntax);
    return is_valid;
  }

  string_view subject_;
  std::vector<std::set<std::string>> keys_;
  std::string key_;
  std::optional<Error> error_;
};

/// Accepts application/json and types with the suffix +json. A charset parameter must be UTF-8.
bool is_json_type(string_view content_type) {
  if (!text::is_utf8(content_type)) return false;
  const std::string folded = text::fold_case(content_type);
  string_view rest = folded;
  const auto next = [&rest] {
    const std::size_t end = std::min(rest.find(';'), rest.size());
    std::string part = text::one_line(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return part;
  };
  const std::string type = next();
  constexpr string_view kSuffixed = "application/x+json";  // at least one character before the suffix
  const bool is_suffixed =
      type.size() >= kSuffixed.size() && type.starts_with("application/") && type.ends_with("+json");
  if (type != "application/json" && !is_suffixed) return false;
  while (!rest.empty()) {
    const std::string parameter = next();
    if (parameter.starts_with("charset=") && parameter != "charset=utf-8" && parameter != "charset=\"utf-8\"")
      return false;
  }
  return true;
}

std::optional<Error> check_headers(const Headers& headers) {
  for (const Header& header : headers) {
    if (is_named(header, "Content-Type") && !is_json_type(header.value)) return wrong_content_type(header.value);
    if (is_named(header, "Content-Encoding")) return encoded_body();
  }
  return std::nullopt;
}

std::optional<Error> check_text(string_view body, string_view subject) {
  if (body.starts_with("\xef\xbb\xbf")) return byte_order_mark(subject);
  if (!text::is_utf8(body)) return not_utf8(subject);
  json::parse_options options;
  options.max_depth = kDepthMax;
  json::basic_parser<StrictHandler> parser(options, subject);
  json::error_code ec;
  const std::size_t used = parser.write_some(false, body.data(), body.size(), ec);
  if (parser.handler().error()) return parser.handler().error();
  if (ec == json::error::too_deep) return too_deep(subject);
  if (ec == json::error::illegal_leading_surrogate || ec == json::error::illegal_trailing_surrogate) {
    return lone_surrogate(subject);
  }
  if (ec == json::error::exponent_overflow) return number_out_of_range(subject);
  const bool has_trailing_text = body.find_first_not_of(" \t\r\n", used) != string_view::npos;
  if (ec || has_trailing_text) return malformed_json(subject, used);
  return std::nullopt;
}

}  // namespace

Result<json::object> parse_line(string_view line) {
  if (const auto error = check_text(line, "line")) return *error;
  json::value value = json::parse(line);
  if (!value.is_object()) return not_an_object("line");
  return std::move(value.as_object());
}

Result<json::value> parse_message(const Request& request) {
  if (request.body.size() > kBodyBytesMax) return too_large(kBodyBytesMax);
  if (const auto error = check_headers(request.head.headers)) return *error;
  if (const auto error = check_text(request.body, "body")) return *error;
  return json::parse(request.body);
}

Result<json::object> parse_body(const Request& request, const table::BodyType& type) {
  if (request.body.size() > type.bytes_max) return too_large(type.bytes_max);
  json::object object;
  if (const auto error = check_headers(request.head.headers)) return *error;
  if (!request.body.empty()) {
    if (const auto error = check_text(request.body, "body")) return *error;
    json::value value = json::parse(request.body);
    if (!value.is_object()) return not_an_object("body");
    object = std::move(value.as_object());
  }
  if (const auto error = check_fields(object, type)) return *error;
  return object;
}

}  // namespace tonearm::api
