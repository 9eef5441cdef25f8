#include "mcp/message.h"

#include <algorithm>
#include <array>
#include <boost/json/serialize.hpp>
#include <optional>

#include "mcp/player.h"
#include "text/base64.h"
#include "text/unicode.h"
#include "tonearm/http_fields.h"

namespace tonearm::mcp {
namespace {

namespace js = boost::json;
using std::string_view;

constexpr string_view kServerVersion = "1.0.0";  // equals the version of the OpenAPI description
constexpr string_view kVersionKey = "io.modelcontextprotocol/protocolVersion";
constexpr string_view kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
constexpr string_view kAppsExtension = "io.modelcontextprotocol/ui";
constexpr string_view kServerInfoKey = "io.modelcontextprotocol/serverInfo";
constexpr std::array kVersions{kStatelessVersion, kHandshakeVersion, kEarlierVersion};

constexpr int kBadRequest = 400;

Response json_answer(int status, std::string body) {
  return {status, {{"Content-Type", "application/json"}, {"Cache-Control", "no-store"}}, std::move(body)};
}

RpcError invalid_request(std::string message) { return {RpcCode::invalid_request, std::move(message)}; }
RpcError header_mismatch(std::string message) { return {RpcCode::header_mismatch, std::move(message)}; }

/// Returns a request's id as JSON. Returns nothing if it is neither a string nor an integer.
std::optional<std::string> id_of(const js::value& id) {
  if (!id.is_string() && !id.is_int64() && !id.is_uint64()) return std::nullopt;
  return js::serialize(id);
}

RpcError unsupported_version(string_view requested) {
  json::Writer data;
  data.begin_object();
  write_array(data, "supported", [&data] {
    for (const string_view version : kVersions) data.string(version);
  });
  data.string("requested", text::quotable(requested));
  data.end_object();
  return {RpcCode::unsupported_version, "Unsupported protocol version", data.take()};
}

string_view header_of(const RequestHead& head, string_view name) {
  const std::string* value = find_header(head.headers, name);
  return value == nullptr ? string_view{} : http_fields::trimmed(*value);
}

/// Returns the value of a header, decoded if it is in the base64 form.
std::string decoded(string_view value) {
  constexpr string_view kBegin = "=?base64?";
  constexpr string_view kEnd = "?=";
  if (!value.starts_with(kBegin) || !value.ends_with(kEnd) || value.size() < kBegin.size() + kEnd.size()) {
    return std::string(value);
  }
  value.remove_prefix(kBegin.size());
  value.remove_suffix(kEnd.size());
  const auto bytes = text::decode_base64(value);
  return bytes ? std::string(bytes->begin(), bytes->end()) : std::string();
}

/// Returns the value that `Mcp-Name` must have; nothing if the method does not use this header.
std::optional<string_view> expected_name_header(const Message& message) {
  if (message.method == "tools/call" || message.method == "prompts/get") return string_member(message.params, "name");
  if (message.method == "resources/read") return string_member(message.params, "uri");
  return std::nullopt;
}

/// Rejects a request of the stateless version whose headers differ from its body: proxies route by the headers.
std::optional<RpcError> check_headers(const RequestHead& head, const Message& message, string_view version) {
  const string_view header_version = header_of(head, "MCP-Protocol-Version");
  if (header_version != version) {
    return header_mismatch("Header mismatch: MCP-Protocol-Version must be \"" + text::quotable(version) +
                           "\" as in _meta.");
  }
  if (header_of(head, "Mcp-Method") != message.method) {
    return header_mismatch("Header mismatch: Mcp-Method must be the method of the message, \"" +
                           text::quotable(message.method) + "\".");
  }
  const auto name = expected_name_header(message);
  if (name && decoded(header_of(head, "Mcp-Name")) != *name) {
    return header_mismatch("Header mismatch: Mcp-Name must be the name or uri of the message, \"" +
                           text::quotable(*name) + "\".");
  }
  return std::nullopt;
}

/// MCP-21: returns whether the client's capabilities name the extension, and pages as a type that it shows.
Apps apps_in(const js::object& capabilities) {
  const js::value none;
  const auto member = [&none](const js::value& of, string_view name) -> const js::value& {
    const auto* object = of.if_object();
    const auto* found = object == nullptr ? nullptr : object->if_contains(name);
    return found == nullptr ? none : *found;
  };
  const auto* extensions = capabilities.if_contains("extensions");
  if (extensions == nullptr) return Apps::none;
  const auto* types = member(member(*extensions, kAppsExtension), "mimeTypes").if_array();
  if (types == nullptr) return Apps::none;
  const auto is_page = [](const js::value& type) { return type.is_string() && type.get_string() == kAppMediaType; };
  return std::any_of(types->begin(), types->end(), is_page) ? Apps::possible : Apps::none;
}

/// Determines the protocol version of the message, and checks that the message is valid in it.
std::optional<RpcError> read_version(const RequestHead& head, Message& message) {
  const string_view header_version = header_of(head, "MCP-Protocol-Version");
  const auto* meta = message.params.if_contains("_meta");
  const js::object none;
  const js::object& fields = meta != nullptr && meta->is_object() ? meta->get_object() : none;
  const bool is_stateless = fields.contains(kVersionKey) || header_version == kStatelessVersion;
  if (!is_stateless) {
    const bool is_known =
        header_version.empty() || std::find(kVersions.begin(), kVersions.end(), header_version) != kVersions.end();
    // The version of `initialize` is negotiated by its params.
    if (!is_known && message.method != "initialize") return unsupported_version(header_version);
    return std::nullopt;
  }
  message.version = ProtocolVersion::stateless;
  if (message.id.empty()) return std::nullopt;  // a notification has none of the following
  const string_view version = string_member(fields, kVersionKey);
  const auto* capabilities = fields.if_contains(kCapabilitiesKey);
  if (version.empty() || capabilities == nullptr || !capabilities->is_object()) {
    return RpcError{RpcCode::invalid_params, "params._meta must have " + std::string(kVersionKey) + ", a string, and " +
                                                 std::string(kCapabilitiesKey) + ", an object."};
  }
  message.apps = apps_in(capabilities->get_object());
  if (auto error = check_headers(head, message, version)) return error;
  if (version != kStatelessVersion) return unsupported_version(version);
  return std::nullopt;
}

std::optional<RpcError> read_request(const js::value& body, Message& message) {
  if (body.is_array())
    return invalid_request("Batches are not part of this protocol: send one message in each request.");
  if (!body.is_object()) return invalid_request("The body must be one JSON-RPC message, a JSON object.");
  const js::object& object = body.get_object();
  if (const auto* id = object.if_contains("id")) {
    auto text = id_of(*id);
    if (!text) return invalid_request("id must be a string or a whole number.");
    message.id = *std::move(text);
  }
  if (string_member(object, "jsonrpc") != "2.0") return invalid_request("jsonrpc must be \"2.0\".");
  message.method = string_member(object, "method");
  if (message.method.empty()) {
    const bool is_answer = object.contains("result") || object.contains("error");
    return invalid_request(is_answer ? "This server asks nothing, so it takes no answers."
                                     : "method must be a string.");
  }
  const auto* params = object.if_contains("params");
  if (params == nullptr) return std::nullopt;
  if (!params->is_object()) return RpcError{RpcCode::invalid_params, "params must be an object."};
  message.params = params->get_object();
  return std::nullopt;
}

}  // namespace

std::variant<Message, Response> read_message(const RequestHead& head, const Result<js::value>& body) {
  if (!body) {
    const Error& error = body.error();
    return error_answer(error_row(error.code).status, {}, {RpcCode::parse_error, error.message});
  }
  Message message;
  if (const auto error = read_request(*body, message)) return error_answer(kBadRequest, message.id, *error);
  if (const auto error = read_version(head, message)) return error_answer(kBadRequest, message.id, *error);
  return message;
}

Response error_answer(int status, string_view id, const RpcError& error) {
  json::Writer out;
  out.begin_object();
  out.string("jsonrpc", "2.0");
  if (!id.empty()) {
    out.key("id");
    out.raw(id);
  }
  write_object(out, "error", [&] {
    out.integer("code", static_cast<std::int16_t>(error.code));
    out.string("message", error.message);
    if (error.data.empty()) return;
    out.key("data");
    out.raw(error.data);
  });
  out.end_object();
  return json_answer(status, out.take());
}

Response result_answer(const Message& message, const std::function<void(json::Writer&)>& write) {
  json::Writer out;
  out.begin_object();
  out.string("jsonrpc", "2.0");
  out.key("id");
  out.raw(message.id);
  write_object(out, "result", [&] {
    if (message.version == ProtocolVersion::stateless) {
      out.string("resultType", "complete");
      write_object(out, "_meta", [&] { write_server_info(out, kServerInfoKey); });
    }
    write(out);
  });
  out.end_object();
  return json_answer(200, out.take());
}

void write_object(json::Writer& out, string_view key, const std::function<void()>& write) {
  out.key(key);
  out.begin_object();
  write();
  out.end_object();
}

void write_array(json::Writer& out, string_view key, const std::function<void()>& write) {
  out.key(key);
  out.begin_array();
  write();
  out.end_array();
}

void write_server_info(json::Writer& out, string_view key) {
  write_object(out, key, [&] {
    out.string("name", "tonearm");
    out.string("title", "Tonearm");
    out.string("version", kServerVersion);
  });
}

string_view string_member(const js::object& object, string_view name) {
  const auto* value = object.if_contains(name);
  return value != nullptr && value->is_string() ? string_view(value->get_string()) : string_view{};
}

}  // namespace tonearm::mcp
