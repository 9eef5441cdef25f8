#pragma once
// All of the site as what the HTTP loop serves.

#include <atomic>

#include "http/handler.h"
#include "pages/pages.h"
#include "routes/site.h"
#include "routes/request_context.h"

namespace tonearm::web {

class WebHandler final : public native::Handler {
 public:
  /// All of it outlives the handler.
  struct Dependencies {
    Site& site;
    Pages& pages;
    Throttle& visitor_throttle;
    const std::atomic<bool>& is_ready;
    ProxyPolicy proxy_policy;
  };

  explicit WebHandler(Dependencies dependencies) : dependencies_(std::move(dependencies)) {}

  /// The throttle, and where a write comes from.
  std::variant<Response, Admitted> admit(const RequestHead& head) override;
  Response answer(const Admitted& admitted, const Request& request) override;
  bool is_health_check(const RequestHead& head) const override;
  /// DELETE /site/account has one.
  bool ignores_body(const RequestHead& head) const override;

 private:
  RequestContext context_of(const Request& request) const;
  Response dispatch(const RequestContext& context);
  Response answer_health(std::string_view path) const;
  Response failed(const RequestContext& context, const std::exception& failure);

  Dependencies dependencies_;
  std::atomic<std::int64_t> last_failure_ms_{0};
};

}  // namespace tonearm::web
