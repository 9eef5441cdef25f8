#include "routes/web_handler.h"

#include <array>

#include "routes/account_routes.h"
#include "routes/file_routes.h"
#include "routes/proxy_routes.h"

namespace tonearm::web {
namespace {

bool is_health_path(std::string_view path) { return path == "/healthz" || path == "/readyz"; }

bool is_site_path(std::string_view path) { return path.substr(0, 6) == "/site/"; }

bool is_write(const RequestHead& head) { return head.method != "GET" && head.method != "HEAD"; }

/// WEB-14
void add_security_headers(Response& response, std::string_view path) {
  constexpr std::string_view kPolicyBegin =
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; media-src 'self' https: http: "
      "blob:; img-src 'self' data:; font-src 'self' data:; worker-src 'self'; manifest-src 'self'; frame-ancestors "
      "'none'; base-uri 'none'; form-action 'self'; style-src 'self'";
  std::string policy(kPolicyBegin);
  if (path == "/docs") policy += " 'unsafe-inline'";  // the reference sets styles on its elements
  response.headers.push_back({"Content-Security-Policy", std::move(policy)});
  response.headers.push_back({"Referrer-Policy", "strict-origin-when-cross-origin"});
  response.headers.push_back({"Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"});
  response.headers.push_back({"Cross-Origin-Opener-Policy", "same-origin"});
}

}  // namespace

bool WebHandler::is_health_check(const RequestHead& head) const { return is_health_path(path_of(head.target)); }

bool WebHandler::ignores_body(const RequestHead& head) const { return !is_write(head); }

Visit WebHandler::visit_of(const Request& request) const {
  const auto& head = request.head;
  const auto& approach = dependencies_.approach;
  return {request, path_of(head.target), query_of(head.target), visitor_of(head, approach),
          transport_of(head, approach)};
}

std::variant<Response, Admitted> WebHandler::admit(const RequestHead& head) {
  const auto path = path_of(head.target);
  if (is_health_path(path)) return Admitted{};
  const auto& approach = dependencies_.approach;
  if (is_write(head) && is_site_path(path)) {
    if (!is_from_here(head))
      return error_answer(403, "forbidden", "The request does not come from a page of this site.");
    if (!dependencies_.site.sessions.has_csrf(head, transport_of(head, approach))) {
      return error_answer(403, "forbidden", "X-CSRF-Token must be the csrf of the session, with its cookie.");
    }
  }
  if (is_file_path(path)) return Admitted{};
  const auto wait_s = dependencies_.visitors.take(visitor_of(head, approach), dependencies_.site.clock.now_ms());
  if (wait_s == 0) return Admitted{};
  return error_answer(429, "rate_limited", "Too many requests came from here; wait a little.", wait_s);
}

Response WebHandler::answer(const Admitted& /*admitted*/, const Request& request) {
  const auto visit = visit_of(request);
  Response response;
  try {
    response = answer_checked(visit);
  } catch (const std::runtime_error& failure) {
    response = failed(visit, failure);
  }
  add_security_headers(response, visit.path);
  return response;
}

Response WebHandler::answer_checked(const Visit& visit) {
  auto& site = dependencies_.site;
  if (is_health_path(visit.path)) return answer_health(visit.path);
  if (visit.request.body.size() > kBodyBytesMax) return error_answer(413, "too_large", "The body is too long.");
  if (auto response = answer_from_file(site.folders, visit)) return *std::move(response);
  if (auto response = answer_proxied(site, visit)) return *std::move(response);
  if (auto response = answer_account(site, visit)) return *std::move(response);
  if (is_site_path(visit.path)) return error_answer(404, "not_found", "There is no such route.");
  return dependencies_.pages.answer(visit.request.head);
}

Response WebHandler::answer_health(std::string_view path) const {
  const bool is_well = path == "/healthz" || dependencies_.is_ready;
  if (is_well) return json_answer(200, R"({"status":"ok"})");
  return error_answer(503, "unavailable", "The catalog cannot be reached yet.", 1);
}

/// One line for many: while the API is away, every request meets the same failure.
Response WebHandler::failed(const Visit& visit, const std::exception& failure) {
  if (failures_.try_log(dependencies_.site.clock.now_ms())) {
    dependencies_.site.log.error(std::string("requests are answered 503: ") + failure.what());
  }
  constexpr std::int64_t kRetryS = 2;
  if (is_site_path(visit.path) || visit.path == "/openapi.json") {
    return error_answer(503, "unavailable", "The site cannot answer now; retry later.", kRetryS);
  }
  return dependencies_.pages.unavailable(visit.request.head);
}

}  // namespace tonearm::web
