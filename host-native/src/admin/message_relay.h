#pragma once
// The MCP server for clients that start a program: passes messages from standard input, one per line, to the server's
// /mcp, and writes the responses as lines (MCP-14).

#include <functional>
#include <iosfwd>

#include "client/http_client.h"

namespace tonearm::native {

/// Sends a message to the server. Throws std::runtime_error if there is no response.
using PostMessage = std::function<ClientResponse(const ClientRequest&)>;

/// Runs until `in` ends. A request gets one response, a notification none. A response that is not JSON-RPC becomes a
/// JSON-RPC error whose code is the HTTP status; a missing response becomes an internal error. A line that is longer
/// than the largest message becomes a parse error, and is not kept in memory.
void relay_messages(std::istream& in, std::ostream& out, const PostMessage& post);

}  // namespace tonearm::native
