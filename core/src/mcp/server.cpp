#include "mcp/server.h"

#include <algorithm>
#include <array>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

#include "mcp/player.h"
#include "mcp/prompts.h"
#include "mcp/resources.h"
#include "mcp/tool_call.h"
#include "mcp/tool_words.h"
#include "text/unicode.h"
#include "tonearm/ascii.h"

namespace tonearm::mcp {
namespace {

namespace js = boost::json;
using json::Writer;
using std::string_view;

constexpr int kOk = 200;
constexpr int kNotFound = 404;

/// How long a client may cache a result, in milliseconds.
constexpr std::int64_t kHourMs = 3'600'000;
enum class Scope : std::uint8_t { all_accounts, one_account };

/// Writes the caching members of the stateless version.
void write_caching(Writer& out, const Message& message, std::int64_t ttl_ms, Scope scope) {
  if (message.version != ProtocolVersion::stateless) return;
  out.integer("ttlMs", ttl_ms);
  out.string("cacheScope", scope == Scope::all_accounts ? "public" : "private");
}

template <class Write>
Response cacheable_response(const Message& message, const Write& write) {
  return result_answer(message, [&](Writer& out) {
    write(out);
    write_caching(out, message, kHourMs, Scope::all_accounts);
  });
}

void write_capabilities(Writer& out) {
  write_object(out, "capabilities", [&] {
    for (const string_view name : {"tools", "resources", "prompts"}) write_object(out, name, [] {});
  });
}

/// Returns the requested version if it has a handshake, else the latest version with a handshake.
Response initialize_response(const Message& message) {
  return result_answer(message, [&](Writer& out) {
    const string_view requested = string_member(message.params, "protocolVersion");
    out.string("protocolVersion", requested == kEarlierVersion ? kEarlierVersion : kHandshakeVersion);
    write_capabilities(out);
    write_server_info(out, "serverInfo");
    out.string("instructions", kInstructions);
  });
}

Response discover_response(const Message& message) {
  return cacheable_response(message, [](Writer& out) {
    write_array(out, "supportedVersions", [&] {
      for (const string_view version : {kStatelessVersion, kHandshakeVersion, kEarlierVersion}) {
        out.string(version);
      }
    });
    write_capabilities(out);
    write_server_info(out, "serverInfo");
    out.string("instructions", kInstructions);
  });
}

/// Returns an error for a well-formed message. The HTTP status is 200.
Response error_response(const Message& message, const RpcError& error) { return error_answer(kOk, message.id, error); }

Response unreadable_resource(const Message& message, string_view uri, string_view why) {
  Writer data;
  data.begin_object();
  data.string("uri", text::quotable(uri));
  data.end_object();
  const RpcCode code =
      message.version == ProtocolVersion::stateless ? RpcCode::invalid_params : RpcCode::resource_not_found;
  return error_response(message, {code, std::string(why), data.take()});
}

/// Copies headers of the API's response to the response to the message (LIMIT-7, SERVICE-8).
void copy_headers(const Headers& from, Response& to) {
  constexpr std::array<string_view, 3> kCopied{"RateLimit-Policy", "RateLimit", "Tonearm-Catalog"};
  for (const Header& header : from) {
    const bool is_copied =
        std::any_of(kCopied.begin(), kCopied.end(), [&](string_view name) { return is_named(header, name); });
    if (is_copied) to.headers.push_back(header);
  }
}

Response credits_response(const Message& message, string_view uri, const Response& answer) {
  if (answer.status == kNotFound) return unreadable_resource(message, uri, "There is no such collection.");
  if (answer.status != kOk) {
    const js::value error = js::parse(answer.body);
    return error_response(message, {RpcCode::internal_error, std::string(string_member(error.as_object(), "message"))});
  }
  return result_answer(message, [&](Writer& out) {
    write_contents(out, uri, "text/plain", answer.body);
    write_caching(out, message, 0, Scope::one_account);
  });
}

Response player_response(const Message& message, Api& api) {
  const auto origins = api.media_origins();
  if (!origins) return error_response(message, {RpcCode::internal_error, origins.error().message});
  return cacheable_response(message, [&](Writer& out) { write_player(out, *origins); });
}

Response read_resource(const Message& message, Api& api) {
  const string_view uri = string_member(message.params, "uri");
  if (uri == kLicensesUri) {
    return cacheable_response(message,
                              [&](Writer& out) { write_contents(out, uri, "application/json", license_table()); });
  }
  if (uri == kPlayerUri) return player_response(message, api);
  const auto target = credits_target(uri);
  if (!target)
    return unreadable_resource(message, uri,
                               "There is no such resource: see resources/list and resources/templates/list.");
  const Response answer = api.call({{"GET", *target, {}}, {}});
  Response response = credits_response(message, uri, answer);
  copy_headers(answer.headers, response);
  return response;
}

/// Returns the arguments of a call; null if they are not an object.
const js::object* arguments_of(const Message& message) {
  static const js::object none;
  const auto* given = message.params.if_contains("arguments");
  return given == nullptr ? &none : given->if_object();
}

Response invalid_arguments(const Message& message) {
  return error_response(message, {RpcCode::invalid_params, "arguments must be an object."});
}

Response get_prompt(const Message& message) {
  const js::object* arguments = arguments_of(message);
  if (arguments == nullptr) return invalid_arguments(message);
  std::optional<std::string> why;
  Response response = result_answer(
      message, [&](Writer& out) { why = write_prompt(out, string_member(message.params, "name"), *arguments); });
  return why ? error_response(message, {RpcCode::invalid_params, *why}) : std::move(response);
}

Response unknown_method(const Message& message) {
  const int status = message.version == ProtocolVersion::stateless ? kNotFound : kOk;
  return error_answer(status, message.id,
                      {RpcCode::method_not_found, "Method not found: " + text::quotable(message.method)});
}

}  // namespace

bool is_origin_allowed(const RequestHead& head) {
  constexpr std::array<string_view, 3> kLoopback{"localhost", "127.0.0.1", "[::1]"};
  for (const Header& header : head.headers) {
    if (!is_named(header, "Origin")) continue;
    string_view origin = header.value;
    const std::size_t scheme = origin.find("://");
    if (scheme == string_view::npos) return false;
    const string_view name = origin.substr(0, scheme);
    if (name != "http" && name != "https") return false;
    origin.remove_prefix(scheme + 3);
    const bool is_loopback = std::any_of(kLoopback.begin(), kLoopback.end(), [origin](string_view host) {
      if (!origin.starts_with(host)) return false;
      const string_view port = origin.substr(host.size());
      return port.empty() || (port.front() == ':' && ascii::is_digits(port.substr(1)));
    });
    if (!is_loopback) return false;
  }
  return true;
}

Server::Admission Server::admit(const RequestHead& head, const Result<js::value>& body, Api& api) const {
  return admit_read(read_message(head, body), api);
}

Server::Admission Server::admit_read(const ReadMessage& read, Api& api) const {
  const Message* message = std::get_if<Message>(&read);
  const string_view call = message == nullptr ? string_view{} : call_name(*message);
  if (call.empty()) return {api.admit_message(), nullptr};
  return {api.admit_call(call), called_tool(*message)};
}

Response Server::answer(const RequestHead& head, const Result<js::value>& body, Api& api) const {
  auto read = read_message(head, body);
  if (auto refusal = admit_read(read, api).refusal) return *std::move(refusal);
  const Message* message = std::get_if<Message>(&read);
  if (message == nullptr) return std::get<Response>(std::move(read));
  if (message->id.empty()) return {202, {{"Cache-Control", "no-store"}}, {}};  // a notification
  return answer_message(*message, api);
}

/// MCP-5: returns the name of a message that counts as a call; nothing if it does not.
string_view Server::call_name(const Message& message) const {
  if (message.id.empty()) return {};
  if (message.method == "resources/read") {
    return credits_target(string_member(message.params, "uri")) ? string_view(message.method) : string_view{};
  }
  const Operation* tool = called_tool(message);
  return tool == nullptr ? string_view{} : tool->name;
}

/// Returns null if the message calls no tool.
const Operation* Server::called_tool(const Message& message) const {
  if (message.method != "tools/call" || arguments_of(message) == nullptr) return nullptr;
  return tools_.find(string_member(message.params, "name"));
}

Response Server::answer_message(const Message& message, Api& api) const {
  const string_view method = message.method;
  if (method == "tools/call") return call_tool(message, api);
  if (method == "tools/list") {
    return cacheable_response(message, [&](Writer& out) {
      out.key("tools");
      out.raw(tools_.list(message.apps));
    });
  }
  if (method == "resources/list") return cacheable_response(message, write_resources);
  if (method == "resources/templates/list") return cacheable_response(message, write_resource_templates);
  if (method == "resources/read") return read_resource(message, api);
  if (method == "prompts/list") return cacheable_response(message, write_prompts);
  if (method == "prompts/get") return get_prompt(message);
  const bool has_handshake = message.version == ProtocolVersion::handshake;
  if (method == "server/discover" && !has_handshake) return discover_response(message);
  if (method == "initialize" && has_handshake) return initialize_response(message);
  if (method == "ping" && has_handshake) return result_answer(message, [](Writer&) {});
  return unknown_method(message);
}

Response Server::call_tool(const Message& message, Api& api) const {
  const string_view name = string_member(message.params, "name");
  const Operation* tool = tools_.find(name);
  if (tool == nullptr) {
    return error_response(message, {RpcCode::invalid_params, "Unknown tool: " + text::quotable(name)});
  }
  const js::object* arguments = arguments_of(message);
  if (arguments == nullptr) return invalid_arguments(message);
  const auto request = make_request(*tool, name, *arguments);
  const Response answer = request ? api.call(request->request) : api.reject(request.error());
  ToolRequest sent;
  sent.alias = find_alias(name);
  if (request) sent = *request;
  Response response = result_answer(message, [&](Writer& out) { write_result(out, *tool, answer, sent); });
  copy_headers(answer.headers, response);
  return response;
}

}  // namespace tonearm::mcp
