#include "server/admin_handler.h"

#include "tonearm/http_fields.h"
#include "tonearm/result.h"

namespace tonearm::native {
namespace {

constexpr std::string_view kMetricsPath = "/metrics";

bool is_metrics(const RequestHead& head) { return http_fields::path_of(head.target) == kMetricsPath; }

}  // namespace

std::variant<Response, Admitted> AdminHandler::admit(const RequestHead& head) {
  auto& service = dependencies_.service;
  // The token is checked before the body is read (ADMIN-8).
  if (auto refusal = is_metrics(head) ? service.refuse_metrics(head) : service.refuse_admin(head)) return *refusal;
  if (!is_metrics(head)) return Admitted{};
  if (head.method != "GET" && head.method != "HEAD") {
    auto response = error_response({ErrorCode::method_not_allowed, "The metrics can only be read."});
    response.headers.push_back({"Allow", "GET, HEAD"});
    return response;
  }
  return Admitted{};
}

Response AdminHandler::answer(const Admitted& /*admitted*/, const Request& request) {
  if (!is_metrics(request.head)) return dependencies_.service.handle_admin(request);
  return {200,
          {{"Content-Type", "text/plain; version=0.0.4; charset=utf-8"}, {"Cache-Control", "no-store"}},
          dependencies_.metrics.text(dependencies_.gauges())};
}

bool AdminHandler::is_health_check(const RequestHead& head) const { return is_metrics(head); }

}  // namespace tonearm::native
