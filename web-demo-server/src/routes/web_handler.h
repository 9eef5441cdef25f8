#pragma once
// The HTTP handler of the whole site.

#include <atomic>

#include "http/handler.h"
#include "monitoring/log_throttle.h"
#include "pages/pages.h"
#include "routes/request_context.h"
#include "routes/site.h"

namespace tonearm::web {

class WebHandler final : public native::Handler {
 public:
  /// Must outlive the handler.
  struct Dependencies {
    Site& site;
    Pages& pages;
    Throttle& visitor_throttle;
    const std::atomic<bool>& is_ready;
    ProxyPolicy proxies;
  };

  explicit WebHandler(Dependencies dependencies) : dependencies_(std::move(dependencies)) {}

  /// Checks the rate limit, and the origin and CSRF token of writes.
  std::variant<Response, Admitted> admit(const RequestHead& head) override;
  Response answer(const Admitted& admitted, const Request& request) override;
  bool is_health_check(const RequestHead& head) const override;
  bool is_file_read(const RequestHead& head) const override;
  /// The visitor.
  native::JobOwner owner_of(const RequestHead& head) const override;
  /// Adds the security headers (WEB-14).
  void complete(const RequestHead& head, Response& response) const override;
  /// True for reads only: DELETE /site/account has a body.
  bool ignores_body(const RequestHead& head) const override;

 private:
  RequestContext context_of(const Request& request) const;
  Response dispatch(const RequestContext& context);
  Response answer_health(std::string_view path) const;
  Response report_failure(const RequestContext& context, const std::exception& failure);

  Dependencies dependencies_;
  native::LogThrottle failures_;
};

}  // namespace tonearm::web
