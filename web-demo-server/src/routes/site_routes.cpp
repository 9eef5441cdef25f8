#include "routes/site_routes.h"

#include <algorithm>
#include <array>

#include "routes/account_routes.h"
#include "routes/consent_routes.h"
#include "routes/feed_routes.h"
#include "routes/oauth_routes.h"
#include "routes/proxy_routes.h"
#include "routes/recovery_routes.h"
#include "routes/share_routes.h"
#include "routes/webhook_routes.h"
#include "tonearm/http_fields.h"

namespace tonearm::web {
namespace {

constexpr std::array kRoutes{
    SiteRoute{"GET", "/openapi.json", Access::visitor, forward_description},
    SiteRoute{"GET", "/site/search", Access::visitor, forward_as_site},
    SiteRoute{"GET", "/site/complete", Access::visitor, forward_as_site},
    SiteRoute{"GET", "/site/meta", Access::visitor, forward_as_site},
    SiteRoute{"GET", "/site/tracks", Access::visitor, forward_as_site},
    SiteRoute{"GET", "/site/tracks/*", Access::visitor, forward_as_site},
    SiteRoute{"GET, POST", "/site/collections", Access::person, forward_as_person},
    SiteRoute{"GET, POST, PUT, PATCH, DELETE", "/site/collections/*", Access::person, forward_collection},
    SiteRoute{"GET", "/site/license-changes", Access::person, forward_as_person},
    SiteRoute{"GET", "/site/usage", Access::person, forward_as_person},
    SiteRoute{"GET", "/site/export", Access::person, forward_as_person},
    SiteRoute{"POST", "/site/credits/match", Access::person, forward_as_person},
    SiteRoute{"POST", "/site/credits/recognize", Access::visitor, forward_as_site},
    SiteRoute{"GET, POST, PUT, PATCH, DELETE", "/site/try/v1/*", Access::person, forward_trial},
    SiteRoute{"GET", "/site/shares/*", Access::person, get_share},
    SiteRoute{"PUT", "/site/shares/*", Access::person, set_description},
    SiteRoute{"POST", "/site/shares/*", Access::person, create_link},
    SiteRoute{"DELETE", "/site/shares/*", Access::person, remove_link},
    SiteRoute{"GET", "/site/archives/*", Access::person, get_archive},
    SiteRoute{"GET", "/site/shared/*", Access::visitor, get_shared},
    SiteRoute{"GET", "/site/shared-archives/*", Access::visitor, get_shared_archive},
    SiteRoute{"GET", "/site/feed", Access::person, get_feed_address},
    SiteRoute{"POST", "/site/feed", Access::person, renew_feed_address},
    SiteRoute{"DELETE", "/site/feed", Access::person, remove_feed_address},
    SiteRoute{"GET", "/feeds/*", Access::visitor, get_feed},
    SiteRoute{"GET", "/site/webhook", Access::person, get_webhook},
    SiteRoute{"PUT", "/site/webhook", Access::person, set_webhook},
    SiteRoute{"DELETE", "/site/webhook", Access::person, remove_webhook},
    SiteRoute{"POST", "/site/webhook/test", Access::person, test_webhook},
    SiteRoute{"POST", "/site/webhook/messages/*", Access::person, resend_message},
    SiteRoute{"GET", "/site/session", Access::visitor, get_session},
    SiteRoute{"POST", "/site/sign-up", Access::visitor, sign_up},
    SiteRoute{"POST", "/site/sign-in", Access::visitor, sign_in},
    SiteRoute{"POST", "/site/sign-out", Access::visitor, sign_out},
    SiteRoute{"GET", "/site/keys", Access::person, list_keys},
    SiteRoute{"POST", "/site/keys", Access::person, create_key},
    SiteRoute{"DELETE", "/site/keys/*", Access::person, revoke_key},
    SiteRoute{"PUT", "/site/plan", Access::person, set_plan},
    SiteRoute{"POST", "/site/password", Access::person, change_password},
    SiteRoute{"POST", "/site/recovery-code", Access::person, create_recovery_code},
    SiteRoute{"POST", "/site/recover", Access::visitor, recover},
    SiteRoute{"DELETE", "/site/account", Access::person, delete_account},
    SiteRoute{"GET", "/site/authorization", Access::person, get_authorization},
    SiteRoute{"POST", "/site/consent", Access::person, consent},
    SiteRoute{"GET", "/site/connections", Access::person, list_connections},
    SiteRoute{"DELETE", "/site/connections/*", Access::person, disconnect},
    SiteRoute{"GET, OPTIONS", "/.well-known/oauth-authorization-server", Access::visitor, get_oauth_metadata},
    SiteRoute{"POST, OPTIONS", "/oauth/register", Access::visitor, register_client},
    SiteRoute{"POST, OPTIONS", "/oauth/token", Access::visitor, issue_tokens},
    SiteRoute{"POST, OPTIONS", "/oauth/revoke", Access::visitor, revoke_token},
};

bool has_path(const SiteRoute& route, std::string_view path) {
  if (!route.path.ends_with('*')) return route.path == path;
  const auto prefix = route.path.substr(0, route.path.size() - 1);
  return path.starts_with(prefix) && path.size() > prefix.size();
}

bool has_method(const SiteRoute& route, const RequestContext& context) {
  for (std::string_view rest = route.methods; !rest.empty();) {
    const auto method = http_fields::next_element(rest, ',');
    if (method == "GET" ? context.is_read() : context.has_method(method)) return true;
  }
  return false;
}

/// Returns whether the path has `.` or `..` segments, which a proxy in front of the API could resolve to another route.
bool has_dot_segments(std::string_view path) {
  const auto segments = segments_of(path);
  return !segments || std::any_of(segments->begin(), segments->end(),
                                  [](const std::string& segment) { return segment == "." || segment == ".."; });
}

}  // namespace

std::span<const SiteRoute> site_routes() { return kRoutes; }

std::optional<Response> answer_route(Site& site, const RequestContext& context) {
  if (has_dot_segments(context.path)) return std::nullopt;
  const SiteRoute* found = nullptr;
  std::string allowed;
  for (const auto& route : site_routes()) {
    if (!has_path(route, context.path)) continue;
    if (found == nullptr || has_method(route, context)) found = &route;
    allowed.append(allowed.empty() ? "" : ", ").append(route.methods);
    if (route.methods.starts_with("GET")) allowed.append(", HEAD");
  }
  if (found == nullptr) return std::nullopt;
  SiteCall call{context, std::nullopt};
  if (found->access == Access::person) {
    call.signed_in = site.sessions.find(context.request.head, context.transport);
    if (!call.signed_in) return not_signed_in();
  }
  return has_method(*found, context) ? found->answer(site, call) : method_not_allowed(allowed);
}

}  // namespace tonearm::web
