#pragma once
// Who asks, as the head of a request says it (CHECK-2, CHECK-3). Pure, thread-safe.

#include <optional>
#include <string_view>

#include "tonearm/http.h"
#include "tonearm/result.h"

namespace tonearm::api {

/// SERVICE-5: a path that needs no key.
bool is_public(const RequestHead& head);
/// Whether it is for the server of the Model Context Protocol (MCP-1).
bool is_mcp(const RequestHead& head);
/// CHECK-2: the answer to a path that is neither public nor the API's, and MCP-3: to an Origin that is not allowed; or
/// nothing.
std::optional<Response> refuse_path(const RequestHead& head);

/// What a surface says of a missing and of a wrong token.
struct TokenWords {
  std::string_view missing;
  std::string_view schemeless;
  std::string_view invalid;
};
inline constexpr TokenWords kKeyWords{"Send your API key in the header \"Authorization: Bearer <API_KEY>\".",
                                      "The Authorization header must be the word Bearer, a space and the API key: "
                                      "\"Authorization: Bearer <API_KEY>\".",
                                      "The API key is invalid or revoked."};
inline constexpr TokenWords kAdminWords{
    "Send the admin token in the header \"Authorization: Bearer <ADMIN_TOKEN>\".",
    "The Authorization header must be the word Bearer, a space and the admin token: "
    "\"Authorization: Bearer <ADMIN_TOKEN>\".",
    "The admin token is not the right one."};

/// The token of the one Authorization field. Scheme names are case-insensitive (KEY-1). Errors: missing_api_key,
/// invalid_api_key. It lives as long as `headers`.
Result<std::string_view> bearer_token(const Headers& headers, const TokenWords& words);

}  // namespace tonearm::api
