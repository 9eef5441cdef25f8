#include "api/requests/bearer.h"

#include <algorithm>
#include <string>

#include "api/requests/routes.h"
#include "domain/api_key.h"
#include "mcp/server.h"
#include "tonearm/ascii.h"
#include "tonearm/calls.h"
#include "tonearm/http_fields.h"

namespace tonearm::api {
namespace {

// ---- Error messages

Error origin_not_allowed() {
  return {ErrorCode::forbidden,
          "Requests of web pages are not answered: an Origin must be one of this machine, as http://localhost:8080."};
}
Error path_not_found() { return {ErrorCode::not_found, "There is nothing at this path: the API is below /v1/."}; }
struct TokenMessages {
  std::string_view missing;
  std::string_view no_scheme;
  Error (*wrong)();
};
constexpr TokenMessages kApiKeyMessages{"Send your API key in the header \"Authorization: Bearer <API_KEY>\".",
                                        "The Authorization header must be the word Bearer, a space and the API key: "
                                        "\"Authorization: Bearer <API_KEY>\".",
                                        invalid_key_error};
constexpr TokenMessages kAdminTokenMessages{
    "Send the admin token in the header \"Authorization: Bearer <ADMIN_TOKEN>\".",
    "The Authorization header must be the word Bearer, a space and the admin token: "
    "\"Authorization: Bearer <ADMIN_TOKEN>\".",
    wrong_admin_token_error};

// ---- Tokens

Result<std::string_view> bearer_token(const Headers& headers, const TokenMessages& messages) {
  constexpr std::string_view kScheme = "bearer";
  const std::string* only = nullptr;
  std::size_t count = 0;
  for (const Header& header : headers) {
    if (!is_named(header, "Authorization")) continue;
    only = &header.value;
    ++count;
  }
  if (count == 0) return Error{ErrorCode::missing_api_key, std::string(messages.missing)};
  if (count > 1) return messages.wrong();
  std::string_view value = *only;
  const bool has_scheme = value.size() > kScheme.size() && value[kScheme.size()] == ' ' &&
                          ascii::equals_ignoring_case(value.substr(0, kScheme.size()), kScheme);
  if (has_scheme) value.remove_prefix(std::min(value.find_first_not_of(' ', kScheme.size()), value.size()));
  if (!has_scheme || value.empty()) return Error{ErrorCode::invalid_api_key, std::string(messages.no_scheme)};
  return value;
}

}  // namespace

Error wrong_admin_token_error() { return {ErrorCode::invalid_api_key, "The admin token is not the right one."}; }

bool is_public(const RequestHead& head) {
  return !find_route(Surface::open, head.method, http_fields::path_of(head.target)).path.empty();
}

bool is_mcp(const RequestHead& head) { return http_fields::path_of(head.target) == "/mcp"; }

std::optional<Response> check_path(const RequestHead& head) {
  if (is_mcp(head)) {
    if (mcp::is_origin_allowed(head)) return std::nullopt;
    return error_response(origin_not_allowed());
  }
  if (http_fields::path_of(head.target).starts_with("/v1/")) return std::nullopt;
  return error_response(path_not_found());
}

Result<std::string_view> presented_key(const Headers& headers) { return bearer_token(headers, kApiKeyMessages); }

Result<std::string_view> presented_admin_token(const Headers& headers) {
  return bearer_token(headers, kAdminTokenMessages);
}

}  // namespace tonearm::api
