#include "tonearm/service.h"

#include <utility>

#include "api/routing/call_handler.h"
#include "state/accounts/accounts.h"
#include "state/accounts/retention.h"
#include "state/collections/collections.h"

namespace tonearm {

namespace {

/// A service with all accounts in one store.
class OneStoreService final : public Service {
 public:
  OneStoreService(const Dependencies& with, const ServiceOptions& options)
      : store_(with.store),
        clock_(with.clock),
        accounts_(state::Accounts::open({with.clock, with.random, with.hashing, with.store, {}, with.is_low_on_space},
                                        options.key_secret)),
        collections_({with.clock, with.random, with.store}),
        calls_({with.clock, with.hashing, with.store, *accounts_, collections_, with.catalog,
                [this](state::CallRecord call) { accounts_->record(std::move(call)); }, with.backup},
               options) {}

  std::variant<Response, Admitted> admit(const RequestHead& head) override { return calls_.admit(head); }
  std::optional<std::variant<Response, Admitted>> try_admit(const RequestHead& head) override {
    return calls_.try_admit(head);
  }
  Response answer(const Admitted& admitted, const Request& request) override {
    return calls_.answer(admitted, request);
  }
  Response refuse(const Admitted& admitted, const RequestHead& head, Response response) override {
    return calls_.refuse(admitted, head, std::move(response));
  }
  std::optional<Response> refuse_admin(const RequestHead& head) override { return calls_.refuse_admin(head); }
  std::optional<Response> refuse_metrics(const RequestHead& head) override { return calls_.refuse_metrics(head); }
  Response handle_admin(const Request& request) override { return calls_.handle_admin(request); }
  FlushReport flush() override { return accounts_->flush(); }
  bool retain_step() override { return state::run_retention_step(store_, clock_); }
  ServiceCounts counts() const override { return calls_.counts(); }

 private:
  sql::Store& store_;
  Clock& clock_;
  std::unique_ptr<state::Accounts> accounts_;
  state::Collections collections_;
  api::CallHandler calls_;
};

}  // namespace

Response Service::handle(const Request& request) {
  auto admitted = admit(request.head);
  if (auto* refusal = std::get_if<Response>(&admitted)) return std::move(*refusal);
  return answer(std::get<Admitted>(admitted), request);
}

std::unique_ptr<Service> Service::make(const Dependencies& dependencies, const ServiceOptions& options) {
  return std::make_unique<OneStoreService>(dependencies, options);
}

}  // namespace tonearm
