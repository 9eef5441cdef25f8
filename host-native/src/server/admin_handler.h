#pragma once
// Serves the admin address: the core's admin interface, and the host's metrics with the same token.

#include <functional>

#include "http/handler.h"
#include "monitoring/metrics.h"

namespace tonearm::native {

class AdminHandler final : public Handler {
 public:
  /// All of it outlives the handler.
  struct Dependencies {
    Service& service;
    const Metrics& metrics;
    std::function<Metrics::Gauges()> gauges;
  };

  explicit AdminHandler(Dependencies dependencies) : dependencies_(std::move(dependencies)) {}

  std::variant<Response, Admitted> admit(const RequestHead& head) override;
  Response answer(const Admitted& admitted, const Request& request) override;
  bool is_health_check(const RequestHead& head) const override;

 private:
  Dependencies dependencies_;
};

}  // namespace tonearm::native
