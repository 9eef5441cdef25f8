#include "admin_handler.h"

#include "tonearm/result.h"

namespace tonearm::native {
namespace {

constexpr std::string_view kMetricsPath = "/metrics";

bool is_metrics(const RequestHead& head) {
  return std::string_view(head.target).substr(0, head.target.find('?')) == kMetricsPath;
}

}  // namespace

std::variant<Response, Admitted> AdminHandler::admit(const RequestHead& head) {
  if (!is_metrics(head)) return Admitted{};  // the core looks at the token by itself
  if (auto refusal = parts_.service.refuse_admin(head)) return *std::move(refusal);
  if (head.method != "GET" && head.method != "HEAD") {
    auto response = error_response({ErrorCode::method_not_allowed, "The metrics can only be read."});
    response.headers.push_back({"Allow", "GET, HEAD"});
    return response;
  }
  return Admitted{};
}

Response AdminHandler::answer(const Admitted& /*admitted*/, const Request& request) {
  if (!is_metrics(request.head)) return parts_.service.handle_admin(request);
  return {200,
          {{"Content-Type", "text/plain; version=0.0.4; charset=utf-8"}, {"Cache-Control", "no-store"}},
          parts_.metrics.text(parts_.gauges())};
}

}  // namespace tonearm::native
