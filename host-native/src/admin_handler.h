#pragma once
// The admin address: the core's admin interface, and the host's metrics behind the same token.

#include <functional>

#include "handler.h"
#include "metrics.h"

namespace tonearm::native {

class AdminHandler final : public Handler {
 public:
  /// All of it outlives the handler.
  struct Parts {
    Service& service;
    const Metrics& metrics;
    std::function<Metrics::Gauges()> gauges;
  };

  explicit AdminHandler(Parts parts) : parts_(std::move(parts)) {}

  std::variant<Response, Admitted> admit(const RequestHead& head) override;
  Response answer(const Admitted& admitted, const Request& request) override;

 private:
  Parts parts_;
};

}  // namespace tonearm::native
