#pragma once
// Turns a tool call into a request to the API, and the response into the result of the call. Pure, thread-safe.

#include <boost/json/fwd.hpp>
#include <string>

#include "json/writer.h"
#include "mcp/aliases.h"
#include "mcp/compact.h"
#include "mcp/tools.h"
#include "tonearm/http.h"
#include "tonearm/result.h"

namespace tonearm::mcp {

struct ToolRequest {
  Request request;
  Detail detail = Detail::compact;
  const Alias* alias = nullptr;  // the form of the result; null: the tool's own
  std::string narrowed_by{};     // keeps only values of the answer's lists that contain this; empty: all
};

/// Makes the API request for a call of a tool, or of the alias of it that has this name. Returns an error only if no
/// request can be made; the API checks everything else.
Result<ToolRequest> make_request(const Operation& operation, std::string_view name,
                                 const boost::json::object& arguments);

/// Writes the members of the result: the answer's JSON as structured content and as text, or the error and the next
/// step. `sent`: the request that was answered; its members are empty if none could be made.
void write_result(json::Writer& out, const Operation& operation, const Response& answer, const ToolRequest& sent);

}  // namespace tonearm::mcp
