#include "tonearm/service.h"

#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "api/routing/active_catalog.h"
#include "api/routing/call_handler.h"
#include "state/accounts/accounts.h"
#include "state/accounts/retention.h"
#include "state/collections/collections.h"
#include "state/division/account_move.h"
#include "state/division/account_stores.h"
#include "state/division/divided_accounts.h"
#include "state/division/divided_store.h"
#include "state/take_downs/take_downs.h"

namespace tonearm {

namespace {

/// How many flushes do not read the take-downs after the first database of several has failed, because one that does
/// not answer would delay each of them (HOST-57).
constexpr int kSkippedReads = 16;

std::vector<sql::Store*> all_stores(const Service::Dependencies& with) {
  std::vector<sql::Store*> stores{&with.store};
  stores.insert(stores.end(), with.more_stores.begin(), with.more_stores.end());
  return stores;
}

/// A service with all accounts.
class WholeService final : public Service {
 public:
  WholeService(const Dependencies& with, const ServiceOptions& options)
      : stores_(all_stores(with)),
        divided_store_(stores_),
        store_(stores_.size() == 1 ? with.store : divided_store_),
        clock_(with.clock),
        accounts_(open_accounts(with, options)),
        collections_({with.clock, with.random, store_}),
        take_downs_(with.clock, store_, [this] { apply_take_downs(); }),
        catalog_(with.catalog),
        calls_(
            {with.clock, with.hashing, store_, *accounts_, collections_, take_downs_, [this] { return catalog_.get(); },
             with.catalog, [this](state::CallRecord call) { accounts_->record(std::move(call)); }, with.backup},
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
  void skip_no_database() override { accounts_->skip_no_database(); }
  bool retain_step() override;
  ServiceCounts counts() const override { return calls_.counts(); }

 private:
  std::unique_ptr<state::Accounts> open_accounts(const Dependencies& with, const ServiceOptions& options);
  void read_take_downs();
  void apply_take_downs();

  state::AccountStores stores_;
  state::DividedStore divided_store_;
  sql::Store& store_;  // the only one, or `divided_store_`
  Clock& clock_;
  std::unique_ptr<state::Accounts> accounts_;
  state::Collections collections_;
  state::TakeDowns take_downs_;
  api::ActiveCatalog catalog_;
  std::mutex take_downs_mutex_;
  std::optional<std::int64_t> take_down_changes_;  // that `catalog_` has; guarded by the mutex
  std::atomic<bool> has_unread_take_downs_ = false;
  std::atomic<int> skipped_reads_ = 0;  // how many flushes are not to read the take-downs
  api::CallHandler calls_;
};

std::unique_ptr<state::Accounts> WholeService::open_accounts(const Dependencies& with, const ServiceOptions& options) {
  if (stores_.size() > 1) {
    return state::open_divided_accounts({with.clock, with.random, with.hashing, stores_}, options.key_secret);
  }
  return state::Accounts::open({with.clock, with.random, with.hashing, with.store, {}, with.is_low_on_space},
                               options.key_secret);
}

/// A database that fails does not keep the others from retention: its failure is reported when they have nothing left.
bool WholeService::retain_step() {
  bool found = false;
  std::exception_ptr failure;
  const auto run = [&](const auto& step) {
    try {
      found = step() || found;
    } catch (const sql::Failure&) {
      failure = std::current_exception();
    }
  };
  for (std::size_t index = 0; index < stores_.size(); ++index) {
    run([&] { return state::run_retention_step(stores_.at(index), clock_); });
  }
  if (stores_.size() > 1) run([&] { return state::end_finished_moves(stores_); });
  if (failure && !found) std::rethrow_exception(failure);
  return found;
}

/// Applies the take-downs of the state if they changed. Throws sql::Failure.
void WholeService::read_take_downs() {
  const std::scoped_lock lock(take_downs_mutex_);
  // Changes between the two reads are noticed by the next call.
  const std::int64_t changes = take_downs_.changes();
  if (take_down_changes_ == changes) return;
  catalog_.take_down(take_downs_.track_ids());
  take_down_changes_ = changes;
}

/// Applies a change of this server. It was stored, so a failure must not make it fail: `flush` tries again.
void WholeService::apply_take_downs() {
  try {
    read_take_downs();
  } catch (const sql::Failure&) {
    has_unread_take_downs_ = true;
  }
}

FlushReport WholeService::flush() {
  FlushReport report;
  std::exception_ptr failure;
  try {
    report = accounts_->flush();
  } catch (const sql::Failure&) {
    failure = std::current_exception();  // take-downs may be in another database
  }
  if (skipped_reads_ > 0) {
    --skipped_reads_;
  } else if (store_.is_shared() || has_unread_take_downs_.exchange(false)) {
    try {
      read_take_downs();
    } catch (const sql::Failure&) {
      has_unread_take_downs_ = true;
      if (stores_.size() > 1) skipped_reads_ = kSkippedReads;
      throw;
    }
  }
  if (failure) std::rethrow_exception(failure);
  return report;
}

}  // namespace

Response Service::handle(const Request& request) {
  auto admitted = admit(request.head);
  if (auto* refusal = std::get_if<Response>(&admitted)) return std::move(*refusal);
  return answer(std::get<Admitted>(admitted), request);
}

std::unique_ptr<Service> Service::make(const Dependencies& dependencies, const ServiceOptions& options) {
  return std::make_unique<WholeService>(dependencies, options);
}

}  // namespace tonearm
