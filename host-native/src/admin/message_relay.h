#pragma once
// The MCP server for clients that start a program: messages from standard input, a line each, go to the server's /mcp,
// and its answers come out as lines (MCP-14).

#include <functional>
#include <iosfwd>

#include "client/http_client.h"

namespace tonearm::native {

/// Asks the server. Throws std::runtime_error where there is no answer.
using PostMessage = std::function<ClientResponse(const ClientRequest&)>;

/// Until `in` ends. A request gets one answer, a notification none. An answer that is no JSON-RPC becomes an error of
/// it, whose code is the HTTP status; no answer, an internal error.
void relay_messages(std::istream& in, std::ostream& out, const PostMessage& post);

}  // namespace tonearm::native
