#include "api/requests/bearer.h"

#include <algorithm>
#include <string>

#include "api/requests/routes.h"
#include "mcp/server.h"
#include "tonearm/ascii.h"
#include "tonearm/calls.h"
#include "tonearm/http_fields.h"

namespace tonearm::api {

bool is_public(const RequestHead& head) {
  return !find_route(Surface::open, head.method, http_fields::path_of(head.target)).path.empty();
}

bool is_mcp(const RequestHead& head) { return http_fields::path_of(head.target) == "/mcp"; }

std::optional<Response> refuse_path(const RequestHead& head) {
  if (is_mcp(head)) {
    if (mcp::is_origin_allowed(head)) return std::nullopt;
    return error_response({ErrorCode::forbidden,
                           "Requests of web pages are not answered: an Origin must be one of this machine, as "
                           "http://localhost:8080."});
  }
  if (http_fields::path_of(head.target).starts_with("/v1/")) return std::nullopt;
  return error_response({ErrorCode::not_found, "There is nothing at this path: the API is below /v1/."});
}

Result<std::string_view> bearer_token(const Headers& headers, const TokenWords& words) {
  constexpr std::string_view kScheme = "bearer";
  const std::string* only = nullptr;
  std::size_t count = 0;
  for (const Header& header : headers) {
    if (!is_named(header, "Authorization")) continue;
    only = &header.value;
    ++count;
  }
  if (count == 0) {
    return Error{ErrorCode::missing_api_key, std::string(words.missing)};
  }
  if (count > 1) return Error{ErrorCode::invalid_api_key, std::string(words.invalid)};
  std::string_view value = *only;
  const bool has_scheme = value.size() > kScheme.size() && value[kScheme.size()] == ' ' &&
                          ascii::equals_ignoring_case(value.substr(0, kScheme.size()), kScheme);
  if (has_scheme) value.remove_prefix(std::min(value.find_first_not_of(' ', kScheme.size()), value.size()));
  if (!has_scheme || value.empty()) return Error{ErrorCode::invalid_api_key, std::string(words.schemeless)};
  return value;
}

}  // namespace tonearm::api
