#include "api/bearer.h"

#include <algorithm>
#include <string>

#include "table/routes.h"
#include "text/unicode.h"
#include "tonearm/service.h"

namespace tonearm::api {

bool is_public(const RequestHead& head) {
  return !table::find_route(table::Surface::open, head.method, path_of(head.target)).path.empty();
}

std::optional<Response> refuse_path(const RequestHead& head) {
  const std::string_view path = path_of(head.target);
  if (path.starts_with("/v1/") || path == "/mcp") return std::nullopt;
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
  const Error invalid{ErrorCode::invalid_api_key, std::string(words.invalid)};
  if (count > 1 || only->size() <= kScheme.size()) return invalid;
  std::string_view value = *only;
  const std::string scheme(value.substr(0, kScheme.size()));
  if (!text::is_utf8(scheme) || text::fold_case(scheme) != kScheme || value[kScheme.size()] != ' ') return invalid;
  value.remove_prefix(std::min(value.find_first_not_of(' ', kScheme.size()), value.size()));
  return value;
}

}  // namespace tonearm::api
