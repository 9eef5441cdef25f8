#include "mcp/message.h"

#include <algorithm>
#include <array>
#include <boost/json/serialize.hpp>
#include <optional>

#include "text/base64.h"
#include "text/unicode.h"
#include "tonearm/http_fields.h"

namespace tonearm::mcp {
namespace {

namespace js = boost::json;
using std::string_view;

constexpr string_view kServerVersion = "1.0.0";  // as the description's
constexpr string_view kRevisionKey = "io.modelcontextprotocol/protocolVersion";
constexpr string_view kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
constexpr string_view kServerInfoKey = "io.modelcontextprotocol/serverInfo";
constexpr std::array kRevisions{kStatelessRevision, kHandshakeRevision, kEarlierRevision};

constexpr int kBadRequest = 400;

Response json_answer(int status, std::string body) {
  return {status, {{"Content-Type", "application/json"}, {"Cache-Control", "no-store"}}, std::move(body)};
}

RpcError invalid(std::string message) { return {RpcCode::invalid_request, std::move(message)}; }
RpcError mismatch(std::string message) { return {RpcCode::header_mismatch, std::move(message)}; }

/// A request's id as JSON: a string or a whole number. Nothing for any other value.
std::optional<std::string> id_of(const js::value& id) {
  if (!id.is_string() && !id.is_int64() && !id.is_uint64()) return std::nullopt;
  return js::serialize(id);
}

RpcError unsupported(string_view requested) {
  json::Writer data;
  data.begin_object();
  write_array(data, "supported", [&data] {
    for (const string_view revision : kRevisions) data.string(revision);
  });
  data.string("requested", text::quotable(requested));
  data.end_object();
  return {RpcCode::unsupported_revision, "Unsupported protocol version", data.take()};
}

string_view header_of(const RequestHead& head, string_view name) {
  const std::string* value = find_header(head.headers, name);
  return value == nullptr ? string_view{} : http_fields::trimmed(*value);
}

/// What a header says, out of its base64 form where it has that.
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

/// What `Mcp-Name` repeats of a message; nothing where its method has no such header.
std::optional<string_view> named_by(const Message& message) {
  if (message.method == "tools/call" || message.method == "prompts/get") return string_in(message.params, "name");
  if (message.method == "resources/read") return string_in(message.params, "uri");
  return std::nullopt;
}

/// The headers of the stateless revision say the same as the body, or the request is refused: others route by them.
std::optional<RpcError> check_headers(const RequestHead& head, const Message& message, string_view revision) {
  const string_view stated = header_of(head, "MCP-Protocol-Version");
  if (stated != revision) {
    return mismatch("Header mismatch: MCP-Protocol-Version must be \"" + text::quotable(revision) + "\" as in _meta.");
  }
  if (header_of(head, "Mcp-Method") != message.method) {
    return mismatch("Header mismatch: Mcp-Method must be the method of the message, \"" +
                    text::quotable(message.method) + "\".");
  }
  const auto name = named_by(message);
  if (name && decoded(header_of(head, "Mcp-Name")) != *name) {
    return mismatch("Header mismatch: Mcp-Name must be the name or uri of the message, \"" + text::quotable(*name) +
                    "\".");
  }
  return std::nullopt;
}

/// Which revision the message is of, and whether it is well-formed by it.
std::optional<RpcError> read_revision(const RequestHead& head, Message& message) {
  const string_view stated = header_of(head, "MCP-Protocol-Version");
  const auto* meta = message.params.if_contains("_meta");
  const js::object none;
  const js::object& fields = meta != nullptr && meta->is_object() ? meta->get_object() : none;
  const bool is_stateless = fields.contains(kRevisionKey) || stated == kStatelessRevision;
  if (!is_stateless) {
    const bool is_known = stated.empty() || std::find(kRevisions.begin(), kRevisions.end(), stated) != kRevisions.end();
    // What a handshake is sent with is settled by the handshake.
    if (!is_known && message.method != "initialize") return unsupported(stated);
    return std::nullopt;
  }
  message.era = Era::stateless;
  if (message.id.empty()) return std::nullopt;  // a notification has none of the following
  const string_view revision = string_in(fields, kRevisionKey);
  const auto* capabilities = fields.if_contains(kCapabilitiesKey);
  if (revision.empty() || capabilities == nullptr || !capabilities->is_object()) {
    return RpcError{RpcCode::invalid_params, "params._meta must have " + std::string(kRevisionKey) +
                                                 ", a string, and " + std::string(kCapabilitiesKey) + ", an object."};
  }
  if (auto error = check_headers(head, message, revision)) return error;
  if (revision != kStatelessRevision) return unsupported(revision);
  return std::nullopt;
}

std::optional<RpcError> read_request(const js::value& body, Message& message) {
  if (body.is_array()) return invalid("Batches are not part of this protocol: send one message in each request.");
  if (!body.is_object()) return invalid("The body must be one JSON-RPC message, a JSON object.");
  const js::object& object = body.get_object();
  if (const auto* id = object.if_contains("id")) {
    auto text = id_of(*id);
    if (!text) return invalid("id must be a string or a whole number.");
    message.id = *std::move(text);
  }
  if (string_in(object, "jsonrpc") != "2.0") return invalid("jsonrpc must be \"2.0\".");
  message.method = string_in(object, "method");
  if (message.method.empty()) {
    const bool is_answer = object.contains("result") || object.contains("error");
    return invalid(is_answer ? "This server asks nothing, so it takes no answers." : "method must be a string.");
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
  if (const auto error = read_revision(head, message)) return error_answer(kBadRequest, message.id, *error);
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
    if (message.era == Era::stateless) {
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

string_view string_in(const js::object& object, string_view name) {
  const auto* value = object.if_contains(name);
  return value != nullptr && value->is_string() ? string_view(value->get_string()) : string_view{};
}

}  // namespace tonearm::mcp
