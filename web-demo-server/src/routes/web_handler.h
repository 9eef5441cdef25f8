#pragma once
// All of the site as what the HTTP loop serves.

#include <atomic>

#include "http/handler.h"
#include "monitoring/log_throttle.h"
#include "pages/pages.h"
#include "routes/site.h"
#include "routes/visit.h"

namespace tonearm::web {

class WebHandler final : public native::Handler {
 public:
  /// All of it outlives the handler.
  struct Dependencies {
    Site& site;
    Pages& pages;
    Throttle& visitors;
    const std::atomic<bool>& is_ready;
    Approach approach;
  };

  explicit WebHandler(Dependencies dependencies) : dependencies_(std::move(dependencies)) {}

  /// The throttle, and where a write comes from.
  std::variant<Response, Admitted> admit(const RequestHead& head) override;
  Response answer(const Admitted& admitted, const Request& request) override;
  bool is_health_check(const RequestHead& head) const override;
  /// DELETE /site/account has one.
  bool ignores_body(const RequestHead& head) const override;

 private:
  Visit visit_of(const Request& request) const;
  Response answer_checked(const Visit& visit);
  Response answer_health(std::string_view path) const;
  Response failed(const Visit& visit, const std::exception& failure);

  Dependencies dependencies_;
  native::LogThrottle failures_;
};

}  // namespace tonearm::web
