#include "routes/web_handler.h"

#include <array>

#include "routes/file_routes.h"
#include "routes/oauth_routes.h"
#include "routes/site_routes.h"

namespace tonearm::web {
namespace {

bool is_health_path(std::string_view path) { return path == "/healthz" || path == "/readyz"; }

bool is_site_path(std::string_view path) { return path.substr(0, 6) == "/site/"; }

bool is_write(const RequestHead& head) { return head.method != "GET" && head.method != "HEAD"; }

/// WEB-30: other sites may frame the page, so it runs no script, sends nothing, and gets no session.
void add_embed_headers(Response& response, const std::string& audio_sources) {
  response.headers.push_back(
      {"Content-Security-Policy", "default-src 'none'; media-src " + audio_sources +
                                      "; img-src 'self' data:; frame-ancestors *; base-uri 'none'; form-action 'none'; "
                                      "style-src 'self'; sandbox allow-popups allow-popups-to-escape-sandbox "
                                      "allow-same-origin"});
  response.headers.push_back({"Referrer-Policy", "no-referrer"});
  response.headers.push_back({"Cross-Origin-Embedder-Policy", "credentialless"});
  response.headers.push_back({"Cross-Origin-Resource-Policy", "cross-origin"});
}

/// WEB-14
void add_security_headers(Response& response, std::string_view path, const std::string& audio_sources) {
  auto policy =
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; media-src " + audio_sources +
      "; img-src 'self' data:; font-src 'self' data:; worker-src 'self'; manifest-src 'self'; frame-ancestors 'none'; "
      "base-uri 'none'; form-action 'self'; style-src 'self'";
  if (path == "/docs") policy += " 'unsafe-inline'";  // the API reference sets inline styles
  response.headers.push_back({"Content-Security-Policy", std::move(policy)});
  response.headers.push_back({"Referrer-Policy", "same-origin"});
  // Audio of other sites is loaded without their cookies.
  response.headers.push_back({"Cross-Origin-Embedder-Policy", "credentialless"});
  response.headers.push_back({"Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"});
  response.headers.push_back({"Cross-Origin-Opener-Policy", "same-origin"});
}

}  // namespace

bool WebHandler::is_health_check(const RequestHead& head) const { return is_health_path(path_of(head.target)); }

bool WebHandler::is_file_read(const RequestHead& head) const { return is_file_path(path_of(head.target)); }

native::JobOwner WebHandler::owner_of(const RequestHead& head) const {
  return native::JobOwner{static_cast<std::uint64_t>(visitor_of(head, dependencies_.proxies))};
}

bool WebHandler::ignores_body(const RequestHead& head) const { return !is_write(head); }

RequestContext WebHandler::context_of(const Request& request) const {
  const auto& head = request.head;
  const auto& proxies = dependencies_.proxies;
  return {request, path_of(head.target), query_of(head.target), visitor_key_of(head, proxies),
          transport_of(head, proxies)};
}

std::variant<Response, Admitted> WebHandler::admit(const RequestHead& head) {
  const auto path = path_of(head.target);
  if (is_health_path(path)) return Admitted{};
  const auto& proxies = dependencies_.proxies;
  if (is_write(head) && is_site_path(path)) {
    if (!is_same_origin(head, transport_of(head, proxies)))
      return error_answer(403, "forbidden", "The request must come from a page of this site.");
    if (!dependencies_.site.sessions.has_csrf(head, transport_of(head, proxies))) {
      return error_answer(403, "forbidden", "X-CSRF-Token must match the session cookie.");
    }
  }
  if (is_file_path(path)) return Admitted{};
  const auto wait_s =
      dependencies_.visitor_throttle.acquire(visitor_key_of(head, proxies), dependencies_.site.clock.now_ms());
  if (wait_s == 0) return Admitted{};
  return error_answer(429, "rate_limited", "Too many requests. Try again later.", wait_s);
}

Response WebHandler::answer(const Admitted& /*admitted*/, const Request& request) {
  const auto context = context_of(request);
  try {
    return dispatch(context);
  } catch (const std::runtime_error& failure) {
    return report_failure(context, failure);
  }
}

void WebHandler::complete(const RequestHead& head, Response& response) const {
  const auto path = path_of(head.target);
  if (is_oauth_endpoint(path)) complete_oauth(response);
  const auto audio_sources = dependencies_.pages.audio_sources();
  path.starts_with("/embed/") ? add_embed_headers(response, audio_sources)
                              : add_security_headers(response, path, audio_sources);
  if (transport_of(head, dependencies_.proxies) == Transport::secure) {
    response.headers.push_back({"Strict-Transport-Security", "max-age=31536000"});
  }
}

Response WebHandler::dispatch(const RequestContext& context) {
  auto& site = dependencies_.site;
  if (is_health_path(context.path)) return answer_health(context.path);
  if (context.request.body.size() > kBodyBytesMax) return error_answer(413, "too_large", "The body is too long.");
  if (auto response = answer_from_file(site.folders, context)) return *std::move(response);
  if (auto response = answer_route(site, context)) return *std::move(response);
  if (is_site_path(context.path)) return error_answer(404, "not_found", "This route does not exist.");
  return dependencies_.pages.answer(context.request.head);
}

Response WebHandler::answer_health(std::string_view path) const {
  const bool is_healthy = path == "/healthz" || dependencies_.is_ready;
  if (is_healthy) return json_answer(200, R"({"status":"ok"})");
  return error_answer(503, "unavailable", "The site is not ready.", 1);
}

/// Answers 503. Logs at most once per interval, because every request fails while the API is unavailable.
Response WebHandler::report_failure(const RequestContext& context, const std::exception& failure) {
  if (const auto more = failures_.try_log(dependencies_.site.clock.now_ms())) {
    dependencies_.site.log.error(std::string("answering 503: ") + failure.what() + *more);
  }
  constexpr std::int64_t kRetryS = 2;
  if (is_site_path(context.path) || context.path == "/openapi.json" || is_oauth_endpoint(context.path)) {
    return error_answer(503, "unavailable", "The site is temporarily unavailable. Try again later.", kRetryS);
  }
  return dependencies_.pages.unavailable(context.request.head);
}

}  // namespace tonearm::web
