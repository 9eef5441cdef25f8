#include "tonearm/service.h"

#include <atomic>
#include <mutex>
#include <optional>
#include <utility>

#include "api/routing/active_catalog.h"
#include "api/routing/call_handler.h"
#include "state/accounts/accounts.h"
#include "state/accounts/retention.h"
#include "state/collections/collections.h"
#include "state/take_downs/take_downs.h"

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
        take_downs_(with.clock, with.store, [this] { apply_take_downs(); }),
        catalog_(with.catalog),
        calls_({with.clock, with.hashing, with.store, *accounts_, collections_, take_downs_,
                [this] { return catalog_.get(); }, with.catalog,
                [this](state::CallRecord call) { accounts_->record(std::move(call)); }, with.backup},
               options) {
    read_take_downs();
  }

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
  FlushReport flush() override;
  bool retain_step() override { return state::run_retention_step(store_, clock_); }
  ServiceCounts counts() const override { return calls_.counts(); }

 private:
  void read_take_downs();
  void apply_take_downs();

  sql::Store& store_;
  Clock& clock_;
  std::unique_ptr<state::Accounts> accounts_;
  state::Collections collections_;
  state::TakeDowns take_downs_;
  api::ActiveCatalog catalog_;
  std::mutex take_downs_mutex_;
  std::optional<std::int64_t> take_down_changes_;  // that `catalog_` has; guarded by the mutex
  std::atomic<bool> has_unread_take_downs_ = false;
  api::CallHandler calls_;
};

/// Applies the take-downs of the state if they changed. Throws sql::Failure.
void OneStoreService::read_take_downs() {
  const std::scoped_lock lock(take_downs_mutex_);
  // Changes between the two reads are noticed by the next call.
  const std::int64_t changes = take_downs_.changes();
  if (take_down_changes_ == changes) return;
  catalog_.take_down(take_downs_.track_ids());
  take_down_changes_ = changes;
}

/// Applies a change of this server. It was stored, so a failure must not make it fail: `flush` tries again.
void OneStoreService::apply_take_downs() {
  try {
    read_take_downs();
  } catch (const sql::Failure&) {
    has_unread_take_downs_ = true;
  }
}

FlushReport OneStoreService::flush() {
  const FlushReport report = accounts_->flush();
  if (store_.is_shared() || has_unread_take_downs_.exchange(false)) {
    try {
      read_take_downs();
    } catch (const sql::Failure&) {
      has_unread_take_downs_ = true;
      throw;
    }
  }
  return report;
}

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
