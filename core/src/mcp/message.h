#pragma once
// Messages of the Model Context Protocol over HTTP: JSON-RPC 2.0, one message a request, in two revisions that are told
// apart by the message alone (MCP-2, MCP-4). Pure, thread-safe.

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

/// Whether a client shakes hands first, or says with each request which revision it speaks.
enum class Era : std::uint8_t { handshake, stateless };

inline constexpr std::string_view kStatelessRevision = "2026-07-28";
inline constexpr std::string_view kHandshakeRevision = "2025-11-25";
/// As an earlier one its clients are answered alike.
inline constexpr std::string_view kEarlierRevision = "2025-06-18";

/// The codes of JSON-RPC, and those that the protocol adds.
enum class RpcCode : std::int16_t {
  parse_error = -32700,
  invalid_request = -32600,
  method_not_found = -32601,
  invalid_params = -32602,
  internal_error = -32603,
  no_resource = -32002,  // of revisions with a handshake
  header_mismatch = -32020,
  unsupported_revision = -32022,
};

/// A request that is to be answered, or a notification, which has no id.
struct Message {
  Era era = Era::handshake;
  std::string id;  // as JSON; empty: a notification
  std::string method;
  boost::json::object params;
};

/// The message that a request carries, or the answer to a faulty one. `body`: what it holds as JSON, or why it is none.
std::variant<Message, Response> read_message(const RequestHead& head, const Result<boost::json::value>& body);

struct RpcError {
  RpcCode code = RpcCode::invalid_params;
  std::string message;
  std::string data{};  // as JSON; empty: none
};

/// The answer that says an error. `id` as in Message.
Response error_answer(int status, std::string_view id, const RpcError& error);

/// The answer with a result, whose members `write` writes; those that the revision adds to each come by themselves.
Response result_answer(const Message& message, const std::function<void(json::Writer&)>& write);

/// A key with an object, whose members `write` writes.
void write_object(json::Writer& out, std::string_view key, const std::function<void()>& write);
/// A key with an array, whose elements `write` writes.
void write_array(json::Writer& out, std::string_view key, const std::function<void()>& write);

/// Writes who answers: a key with an object.
void write_server_info(json::Writer& out, std::string_view key);

/// The member of that name where it is a string; else empty.
std::string_view string_in(const boost::json::object& object, std::string_view name);

}  // namespace tonearm::mcp
