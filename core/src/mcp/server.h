#pragma once
// POST /mcp: one message in, its answer out, without a session (docs/spec/mcp.md). Thread-safe.

#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/message.h"
#include "mcp/tools.h"
#include "tonearm/http.h"
#include "tonearm/result.h"

namespace tonearm::mcp {

/// What a message needs of the API, on behalf of who sent it. For one message.
class Api {
 public:
  virtual ~Api() = default;
  /// Counts a call of this tool (MCP-5), or gives the answer that refuses it.
  virtual std::optional<Response> count(const Operation& tool) = 0;
  /// The API's answer; of a counted call with what its answer has to carry.
  virtual Response call(const Request& request) = 0;
  /// The same where a counted call is no request.
  virtual Response refuse(const Error& error) = 0;
};

/// Whether a request may come from where it says, by its Origin (MCP-3).
bool is_origin_allowed(const RequestHead& head);

class Server {
 public:
  /// As of Tools.
  Server(std::vector<Operation> operations, std::string_view description)
      : tools_(std::move(operations), description) {}

  /// `body`: what the request holds as JSON, or why it is none.
  Response answer(const RequestHead& head, const Result<boost::json::value>& body, Api& api) const;
  const Tools& tools() const { return tools_; }

 private:
  Response answer_message(const Message& message, Api& api) const;
  Response call_tool(const Message& message, Api& api) const;

  Tools tools_;
};

}  // namespace tonearm::mcp
