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
    Hashing& hashing;
    const Metrics& metrics;
    std::function<Metrics::Gauges()> gauges;
  };

  AdminHandler(Parts parts, const Sha256& token_hash) : parts_(std::move(parts)), token_hash_(token_hash) {}

  std::variant<Response, Admitted> admit(const RequestHead& head) override;
  Response answer(const Admitted& admitted, const Request& request) override;

 private:
  bool has_token(const Headers& headers) const;

  Parts parts_;
  Sha256 token_hash_;
};

}  // namespace tonearm::native
