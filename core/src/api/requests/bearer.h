#pragma once
// The checks of a request's path and Authorization field (CHECK-2, CHECK-3). Pure, thread-safe.

#include <optional>
#include <string_view>

#include "tonearm/http.h"
#include "tonearm/result.h"

namespace tonearm::api {

/// SERVICE-5: returns whether the path needs no key.
bool is_public(const RequestHead& head);
/// Returns whether the path is that of the MCP server (MCP-1).
bool is_mcp(const RequestHead& head);
/// CHECK-2, MCP-3: returns the error response for a path outside `/v1/` and `/mcp`, or for an Origin that is not
/// allowed. Returns nothing if the request may continue. REQUIRES: the path is not public.
std::optional<Response> check_path(const RequestHead& head);

// The token of the one Authorization field, as a view into `headers`. Scheme names are case-insensitive (KEY-1).
// Errors: missing_api_key; invalid_api_key if the field is malformed or repeated.
Result<std::string_view> presented_key(const Headers& headers);
Result<std::string_view> presented_admin_token(const Headers& headers);

/// The error for an admin token that is wrong.
Error wrong_admin_token_error();

}  // namespace tonearm::api
