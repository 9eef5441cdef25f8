#pragma once
// A tool's call as a request to the API, and the answer as the result of the call. Pure, thread-safe.

#include <boost/json/fwd.hpp>

#include "json/writer.h"
#include "mcp/compact.h"
#include "mcp/tools.h"
#include "tonearm/http.h"
#include "tonearm/result.h"

namespace tonearm::mcp {

struct ToolRequest {
  Request request;
  Detail detail = Detail::compact;
};

/// The request that does what the tool is called for. Errors: what no request can be made of; all else the API checks.
Result<ToolRequest> make_request(const Operation& operation, const boost::json::object& arguments);

/// Writes the members of the result: the answer's JSON as structured content and as text, or what is wrong and what to
/// do about it.
void write_result(json::Writer& out, const Operation& operation, const Response& answer, Detail detail);

}  // namespace tonearm::mcp
