#include "tonearm/shard_service.h"

#include <array>
#include <utility>
#include <vector>

#include "api/requests/bearer.h"
#include "api/requests/routes.h"
#include "api/routing/active_catalog.h"
#include "api/routing/call_handler.h"
#include "api/routing/protected_resource.h"
#include "domain/api_key.h"
#include "shards/call_report.h"
#include "shards/outbox.h"
#include "state/accounts/accounts.h"
#include "state/accounts/deferred_counts.h"
#include "state/accounts/retention.h"
#include "state/collections/collection_tracks.h"
#include "state/collections/collections.h"
#include "state/schema.h"
#include "state/take_downs/take_downs.h"
#include "state/transact.h"
#include "tonearm/http_fields.h"
#include "tonearm/sqlite.h"

namespace tonearm {

namespace {

/// An isolate looks each take-down up in a snapshot that it fetches by blocks.
constexpr std::size_t kTakeDownsOfDirectoryMax = 200;

/// The state of the stateless role: a database in memory without accounts. It is created when a call first uses it,
/// because that takes longer than everything else at the start of an instance, and few calls do.
class EmptyStore final : public sql::Store {
 public:
  EmptyStore(Random& random, std::string key_secret) : random_(random), key_secret_(std::move(key_secret)) {}

  void transact(const std::function<void(sql::Transaction&)>& body) override {
    if (store_ == nullptr) {
      auto store = sql::make_sqlite_store(sql::open_sqlite(":memory:", sql::OpenMode::read_write_create));
      state::open_schema(*store, random_, key_secret_);
      store_ = std::move(store);
    }
    store_->transact(body);
  }
  bool is_shared() const override { return true; }

 private:
  Random& random_;
  const std::string key_secret_;
  std::unique_ptr<sql::Store> store_;
};

/// The calls of one role over a store. Their records are collected for `take_records`.
class RoleCalls final : public ShardCalls {
 public:
  RoleCalls(const ShardService::Dependencies& with, sql::Store& store, std::unique_ptr<state::Accounts> accounts,
            const ServiceOptions& options)
      : accounts_(std::move(accounts)),
        collections_({.clock = with.clock, .random = with.random, .store = store, .stores_tracks = true}),
        take_downs_(with.clock, store, {}, kTakeDownsOfDirectoryMax),
        calls_({with.clock,
                with.hashing,
                store,
                *accounts_,
                collections_,
                take_downs_,
                with.catalog,
                with.catalog,
                [this](state::CallRecord call) { records_.push_back(std::move(call)); },
                {},
                with.shared_answers},
               options) {}

  std::variant<Response, Admitted> admit(const RequestHead& head) override { return calls_.admit(head); }
  Response answer(const Admitted& admitted, const Request& request) override {
    return calls_.answer(admitted, request);
  }
  std::variant<Response, AdmittedMessage> admit_message(const Admitted& admitted, const Request& request) override {
    return calls_.admit_message(admitted, request);
  }
  Response refuse(const Admitted& admitted, const RequestHead& head, Response response) override {
    return calls_.refuse(admitted, head, std::move(response));
  }
  Response handle_admin(const Request& request) override { return calls_.handle_admin(request); }
  std::string take_changed_account() override { return std::exchange(changed_account_, {}); }
  void note_changed(const std::string& account) { changed_account_ = account; }
  std::string take_records() override { return shards::write_report(std::exchange(records_, {})); }

  std::optional<Response> refuse_admin(const RequestHead& head) { return calls_.refuse_admin(head); }

 private:
  std::unique_ptr<state::Accounts> accounts_;
  state::Collections collections_;
  state::TakeDowns take_downs_;
  std::vector<state::CallRecord> records_;
  std::string changed_account_;
  api::CallHandler calls_;
};

/// Only the stateless role answers catalog routes, so the others need no cache.
ServiceOptions without_cache(ServiceOptions options) {
  options.answer_cache_bytes = 0;
  return options;
}

/// The directory answers only the admin interface, which needs no catalog (ADMIN-1).
ShardService::Dependencies without_catalog(ShardService::Dependencies with) {
  with.catalog = [] { return nullptr; };
  return with;
}

class Shards final : public ShardService {
 public:
  Shards(const Dependencies& with, const ServiceOptions& options, std::int64_t epoch)
      : catalog_(with.catalog),
        with_(reduced(with)),
        key_secret_(options.key_secret),
        protected_resource_(options.oauth),
        empty_store_(with.random, key_secret_),
        stateless_(with_, empty_store_, accounts_of(empty_store_, {}), options),
        account_calls_(with_, with.store, accounts_of(with.store, {}, with.unwritten_counts), without_cache(options)),
        directory_calls_(without_catalog(with), with.store, accounts_of(with.store, outbox_writer(epoch)),
                         without_cache(options)),
        account_(with.store, epoch, with.unwritten_counts),
        directory_(with.store, with.clock, epoch) {}

  std::variant<Response, CallRoute> route(const RequestHead& head) override;
  std::variant<Response, CallRoute> route_admin(const RequestHead& head) override;
  ShardCalls& calls(ShardRole role) override {
    const std::array<ShardCalls*, 3> by_role{&stateless_, &account_calls_, &directory_calls_};
    return *by_role.at(static_cast<std::size_t>(role));
  }
  void take_down(std::vector<std::string> track_ids) override { catalog_.take_down(std::move(track_ids)); }
  AccountShard& account() override { return account_; }
  Directory& directory() override { return directory_; }
  void open_state() override {
    state::create_tables(with_.store);
    state::load_deferred(with_.store, with_.unwritten_counts);
  }
  bool free_space_step() override {
    // What can be read again from the catalog is deleted first.
    if (state::transact(with_.store, state::delete_some_tracks)) return true;
    state::write_deferred_before_removal(with_.store, with_.unwritten_counts);
    return state::drop_oldest_records(with_.store);
  }
  bool retain_step() override {
    state::write_deferred_before_removal(with_.store, with_.unwritten_counts);
    return state::run_retention_step(with_.store, with_.clock);
  }

 private:
  using OnChange = decltype(state::Accounts::Dependencies::on_change);

  Dependencies reduced(Dependencies with) {
    with.catalog = [this] { return catalog_.get(); };
    return with;
  }
  /// Returns a function that writes each change into the directory's outbox and remembers the account.
  OnChange outbox_writer(std::int64_t epoch) {
    return [this, epoch](sql::Transaction& transaction, const std::string& account, const std::string& key_id) {
      shards::record_change(transaction, account, key_id, epoch);
      directory_calls_.note_changed(account);
    };
  }
  /// Nothing is cached between calls, because the store is that of another shard at each call. `open_state` opens each
  /// shard.
  std::unique_ptr<state::Accounts> accounts_of(sql::Store& store, OnChange on_change,
                                               UnwrittenCounts* unwritten_counts = nullptr) const {
    state::Accounts::Dependencies with{with_.clock, with_.random, with_.hashing, store, std::move(on_change)};
    with.unwritten_counts = unwritten_counts;
    return state::make_shared_accounts(with, {key_secret_, 0}, {});
  }

  api::ActiveCatalog catalog_;
  const Dependencies with_;  // its catalog is `catalog_`
  const std::string key_secret_;
  const api::ProtectedResource protected_resource_;
  EmptyStore empty_store_;
  RoleCalls stateless_;
  RoleCalls account_calls_;
  RoleCalls directory_calls_;
  AccountShard account_;
  Directory directory_;
};

std::variant<Response, CallRoute> Shards::route(const RequestHead& head) {
  if (api::is_public(head)) return CallRoute{};
  if (auto metadata = protected_resource_.answer(head)) return *std::move(metadata);
  if (auto refusal = api::check_path(head)) return *std::move(refusal);
  const auto refuse_key = [&](const Error& error) {
    Response response = error_response(error);
    protected_resource_.add_challenge(head, response);
    return response;
  };
  const auto key = api::presented_key(head.headers);
  if (!key) return refuse_key(key.error());
  const auto locator = verify_api_key(with_.hashing, key_secret_, *key);
  if (!locator) return refuse_key(invalid_key_error());
  const auto found = api::find_route(api::Surface::api, head.method, http_fields::path_of(head.target));
  const bool needs_state = found.route != nullptr && found.route->needs != api::Needs::catalog;
  // MCP-5: whether a message counts, and what it needs, depends on its body.
  return CallRoute{make_account_id(*locator), needs_state || api::is_mcp(head)};
}

std::variant<Response, CallRoute> Shards::route_admin(const RequestHead& head) {
  if (auto refusal = stateless_.refuse_admin(head)) return *std::move(refusal);
  const auto found = api::find_route(api::Surface::admin, head.method, http_fields::path_of(head.target));
  const bool is_of_shard = found.route != nullptr && found.route->state_owner == api::StateOwner::account_shard;
  // A malformed account id has no shard. The directory answers 404.
  if (!is_of_shard || !parse_account_id(found.path_values[0])) return CallRoute{};
  return CallRoute{found.path_values[0], true};
}

}  // namespace

std::unique_ptr<ShardService> ShardService::make(const Dependencies& dependencies, const ServiceOptions& options,
                                                 std::int64_t directory_epoch) {
  return std::make_unique<Shards>(dependencies, options, directory_epoch);
}

}  // namespace tonearm
