#include "api/routing/protected_resource.h"

#include "api/requests/bearer.h"
#include "api/requests/call.h"
#include "json/writer.h"
#include "tonearm/http_fields.h"

namespace tonearm::api {
namespace {

constexpr std::string_view kMetadataPath = "/.well-known/oauth-protected-resource";
constexpr std::string_view kInsertedPath = "/.well-known/oauth-protected-resource/mcp";  // RFC 9728, 3.1
constexpr std::string_view kScope = "account";

}  // namespace

std::optional<Response> ProtectedResource::answer(const RequestHead& head) const {
  const auto path = http_fields::path_of(head.target);
  if (addresses_.authorization_server.empty() || (path != kMetadataPath && path != kInsertedPath)) return std::nullopt;
  if (head.method != "GET" && head.method != "HEAD") return method_not_allowed(head.method, "GET, HEAD");
  json::Writer out;
  out.begin_object();
  out.string("resource", addresses_.service + "/mcp");
  out.string("resource_name", "Tonearm");
  const auto list = [&out](std::string_view name, std::string_view only) {
    out.key(name);
    out.begin_array();
    out.string(only);
    out.end_array();
  };
  list("authorization_servers", addresses_.authorization_server);
  list("scopes_supported", kScope);
  list("bearer_methods_supported", "header");
  out.end_object();
  return json_response(200, out.take());
}

void ProtectedResource::add_challenge(const RequestHead& head, Response& response) const {
  if (addresses_.authorization_server.empty() || response.status != 401 || !is_mcp(head)) return;
  for (auto& header : response.headers) {
    if (!is_named(header, "WWW-Authenticate")) continue;
    header.value.append(" resource_metadata=\"").append(addresses_.service).append(kInsertedPath).append("\"");
  }
}

}  // namespace tonearm::api
