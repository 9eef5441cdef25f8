#pragma once
// POST /mcp: answers one message per request, without state (docs/spec/mcp.md). Thread-safe.

#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "mcp/message.h"
#include "mcp/tools.h"
#include "tonearm/catalog.h"
#include "tonearm/http.h"
#include "tonearm/result.h"

namespace tonearm::mcp {

/// Calls of the API on behalf of the sender of one message.
class Api {
 public:
  virtual ~Api() = default;
  /// Counts the message as a call; `name` is for its record (MCP-5). Returns a response if the call is rejected.
  virtual std::optional<Response> admit_call(std::string_view name) = 0;
  /// Counts a message that is no call (LIMIT-16). Returns a response if it is rejected.
  virtual std::optional<Response> admit_message() = 0;
  /// Returns the API's response, with the rate limit headers. REQUIRES: the call was admitted.
  virtual Response call(const Request& request) = 0;
  /// Returns where the audio of the active catalog is, or the API's error without a catalog.
  virtual Result<MediaOrigins> media_origins() = 0;
  /// Returns the response for an admitted call whose arguments make no request.
  virtual Response reject(const Error& error) = 0;
};

/// Returns whether the Origin of a request is allowed (MCP-3).
bool is_origin_allowed(const RequestHead& head);

class Server {
 public:
  /// The parameters are those of Tools.
  Server(std::vector<Operation> operations, std::string_view description)
      : tools_(std::move(operations), description) {}

  struct Admission {
    std::optional<Response> refusal;
    const Operation* tool = nullptr;  // that the message calls; null: none
  };
  /// Counts a message with `api`. `body`: the request's body as JSON, or the error of parsing it.
  Admission admit(const RequestHead& head, const Result<boost::json::value>& body, Api& api) const;
  /// Counts a message like `admit`, and answers it.
  Response answer(const RequestHead& head, const Result<boost::json::value>& body, Api& api) const;

 private:
  /// A message, or the response to what is none.
  using ReadMessage = std::variant<Message, Response>;

  Admission admit_read(const ReadMessage& read, Api& api) const;
  const Operation* called_tool(const Message& message) const;
  std::string_view call_name(const Message& message) const;
  Response answer_message(const Message& message, Api& api) const;
  Response call_tool(const Message& message, Api& api) const;

  Tools tools_;
};

}  // namespace tonearm::mcp
