#include "http/parsed_head.h"

#include <charconv>

#include "http/strict_head.h"
#include "tonearm/ascii.h"
#include "tonearm/http_fields.h"

namespace tonearm::native {
namespace {

/// The connection options of all Connection fields.
struct ConnectionOptions {
  bool has_close = false;
  bool has_keep_alive = false;
};

void read_field(std::string_view name, std::string_view value, ConnectionOptions& options, ParsedHead& head) {
  const auto is = [name](std::string_view other) { return ascii::equals_ignoring_case(name, other); };
  if (is("Connection")) {
    options.has_close = options.has_close || http_fields::has_token(value, "close");
    options.has_keep_alive = options.has_keep_alive || http_fields::has_token(value, "keep-alive");
  } else if (is("Content-Length")) {
    std::from_chars(value.data(), value.data() + value.size(), head.body.length);
  } else if (is("Transfer-Encoding")) {
    head.body.is_chunked = true;
  } else if (is("Expect")) {
    head.body.expects_continue = head.minor_version == 1;
  }
}

}  // namespace

ParsedHead parse_head(std::string_view head) {
  constexpr std::size_t kUsualFields = 16;
  ParsedHead parsed;
  const auto line = split_request_line(next_line(head));
  parsed.request.method = line.method;
  parsed.request.target = origin_form(line.target);
  parsed.minor_version = line.version.back() - '0';
  parsed.request.headers.reserve(kUsualFields);
  ConnectionOptions options;
  for (auto text = next_line(head); !text.empty(); text = next_line(head)) {
    const auto name = text.substr(0, text.find(':'));
    const auto value = http_fields::trimmed(text.substr(name.size() + 1));
    read_field(name, value, options, parsed);
    parsed.request.headers.push_back({std::string(name), std::string(value)});
  }
  parsed.is_persistent = !options.has_close && (parsed.minor_version == 1 || options.has_keep_alive);
  return parsed;
}

}  // namespace tonearm::native
