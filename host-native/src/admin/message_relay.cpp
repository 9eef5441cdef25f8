#include "admin/message_relay.h"

#include <algorithm>
#include <boost/json.hpp>
#include <istream>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <string_view>

#include "tonearm/calls.h"
#include "tonearm/terminal.h"

namespace tonearm::native {
namespace {

namespace bj = boost::json;

constexpr int kParseError = -32700;
constexpr int kInternalError = -32603;
constexpr std::string_view kRevisionKey = "io.modelcontextprotocol/protocolVersion";

std::string member_text(const bj::object& object, std::string_view name) {
  const auto* value = object.if_contains(name);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

bj::object member_object(const bj::object& object, std::string_view name) {
  const auto* value = object.if_contains(name);
  return value != nullptr && value->is_object() ? value->get_object() : bj::object();
}

bool is_plain(std::string_view value) {
  return std::ranges::all_of(value, [](char c) { return c > ' ' && c <= '~'; }) && !value.starts_with("=?");
}

/// Encodes the value of a header field for the protocol: in base64 unless it is plain ASCII.
std::string header_value(const std::string& value) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  if (is_plain(value)) return value;
  std::string text = "=?base64?";
  for (std::size_t at = 0; at < value.size(); at += 3) {
    std::uint32_t bits = 0;
    const std::size_t count = std::min<std::size_t>(3, value.size() - at);
    for (std::size_t i = 0; i < 3; ++i) {
      bits = bits << 8U | (i < count ? static_cast<std::uint8_t>(value[at + i]) : 0U);
    }
    for (std::size_t i = 0; i < 4; ++i) text += i <= count ? kDigits[bits >> (18 - 6 * i) & 63U] : '=';
  }
  return text + "?=";
}

/// MCP-4: copies to headers what the stateless revision requires there.
void add_headers(const bj::object& message, ClientRequest& request) {
  const auto params = member_object(message, "params");
  const auto revision = member_text(member_object(params, "_meta"), kRevisionKey);
  if (revision.empty()) return;
  request.headers.push_back({"MCP-Protocol-Version", header_value(revision)});
  const auto method = member_text(message, "method");
  request.headers.push_back({"Mcp-Method", header_value(method)});
  const bool has_uri = method == "resources/read";
  const auto name = member_text(params, has_uri ? "uri" : "name");
  if (!name.empty()) request.headers.push_back({"Mcp-Name", header_value(name)});
}

std::string error_line(const bj::value* id, int code, std::string_view message, const bj::value& data = nullptr) {
  bj::object error{{"code", code}, {"message", message}};
  if (!data.is_null()) error["data"] = data;
  bj::object answer{{"jsonrpc", "2.0"}};
  if (id != nullptr) answer["id"] = *id;
  answer["error"] = std::move(error);
  return bj::serialize(answer);
}

/// Returns the response as one line; a response that is not JSON-RPC becomes a JSON-RPC error.
std::string answer_line(const bj::value* id, const ClientResponse& response) {
  bj::error_code ec;
  const auto body = bj::parse(response.body, ec);
  const bool is_object = !ec && body.is_object();
  if (is_object && body.get_object().contains("jsonrpc")) {
    std::string line = response.body;
    std::ranges::replace_if(
        line, [](char c) { return c == '\n' || c == '\r'; }, ' ');
    return line;
  }
  auto message = is_object ? member_text(body.get_object(), "message") : std::string();
  if (message.empty()) message = "The server answered with status " + std::to_string(response.status) + '.';
  return error_line(id, response.status, message, is_object ? body : bj::value());
}

std::string answer_to(const std::string& line, const PostMessage& post) {
  bj::error_code ec;
  const auto message = bj::parse(line, ec);
  if (ec || !message.is_object()) return error_line(nullptr, kParseError, "A line must be one JSON-RPC message.");
  const auto& object = message.get_object();
  const auto* id = object.if_contains("id");
  ClientRequest request{"POST", "/mcp", {}, line};
  add_headers(object, request);
  try {
    const auto response = post(request);
    return id == nullptr ? std::string() : answer_line(id, response);
  } catch (const std::runtime_error& failure) {
    return id == nullptr ? std::string() : error_line(id, kInternalError, failure.what());
  }
}

std::string too_long_line() {
  return error_line(nullptr, kParseError,
                    "A message must have at most " + std::to_string(kBodyBytesMax) + " bytes; this line was not sent.");
}

enum class LineEnd : std::uint8_t { no_line, complete, too_long };

/// Reads a line without its end. Skips the rest of a line that is too long, so that the memory is bounded.
LineEnd read_line(std::istream& in, std::string& line) {
  using Traits = std::istream::traits_type;
  line.clear();
  bool is_too_long = false;
  for (auto c = in.rdbuf()->sbumpc(); c != '\n'; c = in.rdbuf()->sbumpc()) {
    if (Traits::eq_int_type(c, Traits::eof())) {
      if (line.empty()) return LineEnd::no_line;
      break;
    }
    is_too_long = is_too_long || line.size() == kBodyBytesMax;
    if (!is_too_long) line += Traits::to_char_type(c);
  }
  return is_too_long ? LineEnd::too_long : LineEnd::complete;
}

}  // namespace

void relay_messages(std::istream& in, std::ostream& out, const PostMessage& post) {
  std::string line;
  for (LineEnd end = read_line(in, line); end != LineEnd::no_line; end = read_line(in, line)) {
    if (end == LineEnd::complete && line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const auto answer = end == LineEnd::too_long ? too_long_line() : answer_to(line, post);
    if (!answer.empty()) out << terminal::line(answer) << '\n' << std::flush;
  }
}

}  // namespace tonearm::native
