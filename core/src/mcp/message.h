#pragma once
// Messages of the Model Context Protocol over HTTP: JSON-RPC 2.0, one message per request. The message itself
// determines its version of the protocol (MCP-2, MCP-4). Pure, thread-safe.

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>

#include "json/writer.h"
#include "tonearm/http.h"
#include "tonearm/result.h"

namespace tonearm::mcp {

/// The two kinds of protocol versions: the client negotiates the version first, or states it in each request.
enum class ProtocolVersion : std::uint8_t { handshake, stateless };

inline constexpr std::string_view kStatelessVersion = "2026-07-28";
inline constexpr std::string_view kHandshakeVersion = "2025-11-25";
/// An earlier version that has the same answers.
inline constexpr std::string_view kEarlierVersion = "2025-06-18";

/// The error codes of JSON-RPC and of the protocol.
enum class RpcCode : std::int16_t {
  parse_error = -32700,
  invalid_request = -32600,
  method_not_found = -32601,
  invalid_params = -32602,
  internal_error = -32603,
  resource_not_found = -32002,  // only in versions with a handshake
  header_mismatch = -32020,
  unsupported_version = -32022,
};

/// Whether the client shows pages of MCP Apps. A client of a version with a handshake states it in another message, and
/// nothing is stored between two messages, so it may.
enum class Apps : std::uint8_t { none, possible };

/// A request, or a notification, which has no id and no answer.
struct Message {
  ProtocolVersion version = ProtocolVersion::handshake;
  Apps apps = Apps::possible;
  std::string id;  // as JSON; empty: a notification
  std::string method;
  boost::json::object params;
};

/// Reads the message of a request; returns a response if it is invalid. `body`: the body as JSON, or the error of
/// parsing it.
std::variant<Message, Response> read_message(const RequestHead& head, const Result<boost::json::value>& body);

struct RpcError {
  RpcCode code = RpcCode::invalid_params;
  std::string message;
  std::string data{};  // as JSON; empty: none
};

/// Makes a response with an error. `id`: see Message.
Response error_answer(int status, std::string_view id, const RpcError& error);

/// Makes a response with a result. `write` writes its members; those that the protocol version requires are added.
Response result_answer(const Message& message, const std::function<void(json::Writer&)>& write);

/// Writes a key and an object; `write` writes its members.
void write_object(json::Writer& out, std::string_view key, const std::function<void()>& write);
/// Writes a key and an array; `write` writes its elements.
void write_array(json::Writer& out, std::string_view key, const std::function<void()>& write);

/// Writes a key and an object with the name and version of this server.
void write_server_info(json::Writer& out, std::string_view key);

/// Returns the member `name` if it is a string, else an empty text.
std::string_view string_member(const boost::json::object& object, std::string_view name);

}  // namespace tonearm::mcp
