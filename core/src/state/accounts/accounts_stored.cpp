#include "state/accounts/accounts_stored.h"

#include <array>
#include <utility>

#include "state/accounts/account_removal.h"
#include "state/accounts/idempotency.h"
#include "state/calls/call_rows.h"
#include "state/store_time.h"
#include "state/transact.h"

namespace tonearm::state {

namespace {

// ---- Error messages

Error idempotent_result_gone() {
  return {ErrorCode::invalid_request, "What this Idempotency-Key made is no longer there: choose a new one."};
}
Error key_not_found() { return {ErrorCode::not_found, "There is no key with this id."}; }
Error too_many_active_keys() {
  return {ErrorCode::invalid_request,
          "The account has 5 active keys, which is as many as it may have: revoke one first."};
}
Error state_not_divided() {
  return {ErrorCode::invalid_request, "The state of this server is one database: no account can be moved to another."};
}
Error invalid_ttl() {
  return {ErrorCode::invalid_request, "ttl_s must be from 1 to " + std::to_string(kSessionSecondsMax) + " seconds.", 0,
          "ttl_s"};
}

}  // namespace

std::unique_ptr<Accounts> Accounts::open(const Dependencies& dependencies, std::string key_secret,
                                         const Bounds& bounds) {
  OpenedSchema schema =
      open_schema(dependencies.store, dependencies.random, std::move(key_secret), dependencies.database);
  const auto make = dependencies.store.is_shared() ? make_shared_accounts : make_embedded_accounts;
  return make(dependencies, std::move(schema), bounds);
}

Error account_not_found() { return {ErrorCode::not_found, "There is no account with this id."}; }

StoredAccounts::StoredAccounts(const Dependencies& dependencies, OpenedSchema schema, const Bounds& bounds)
    : dependencies_(dependencies),
      pending_calls_max_(bounds.pending_calls_max),
      secret_(std::move(schema.key_secret)),
      calls_(schema.run) {}

void StoredAccounts::drain_full_call_queue() {
  // Each caller writes only until there is a free slot: the whole backlog would delay it.
  while (is_call_queue_full() && write_call_batch() > 0) continue;
}

void StoredAccounts::notify_change(sql::Transaction& transaction, const std::string& account,
                                   const std::string& key_id) const {
  if (dependencies_.on_change) dependencies_.on_change(transaction, account, key_id);
}

Result<AccountInfo> StoredAccounts::create_account(Plan plan, std::string_view idempotency_key) {
  const std::lock_guard<std::mutex> lock(store_mutex_);
  const IdempotentRequest request = account_creation(dependencies_.hashing, idempotency_key, plan);
  for (;;) {
    Locator locator;
    dependencies_.random.fill(locator);
    AccountInfo info;
    info.account = make_account_id(locator);
    if (dependencies_.accepts && !dependencies_.accepts(info.account)) continue;
    info.plan = plan;
    // Returns nothing if the random id is taken.
    const auto create = [&](sql::Transaction& transaction) -> std::optional<Result<AccountInfo>> {
      const auto previous = request.find_previous_result(transaction);
      if (!previous) return previous.error();
      if (!previous->empty()) {
        const auto found = find_account(transaction, *previous);
        return found ? Result<AccountInfo>(*found) : idempotent_result_gone();
      }
      info.created_ms = time_of(transaction, dependencies_.clock);
      if (!insert_account(transaction, info.account, plan, info.created_ms)) return std::nullopt;
      request.save(transaction, info.account, info.account, info.created_ms);
      notify_change(transaction, info.account);
      return info;
    };
    if (auto created = transact(dependencies_.store, create)) return *std::move(created);
  }
}

AccountsPage StoredAccounts::list_accounts(const AccountsQuery& query) {
  return transact(dependencies_.store,
                  [&](sql::Transaction& transaction) { return read_accounts_page(transaction, query); });
}

/// Returns what `read` returns for an account that exists, in one transaction. Errors: not_found.
template <class Value, class Read>
Result<Value> StoredAccounts::read_existing(std::string_view account, const Read& read) {
  if (!parse_account_id(account)) return account_not_found();
  const std::string id(account);
  return transact(dependencies_.store, [&](sql::Transaction& transaction) -> Result<Value> {
    if (!find_account(transaction, id)) return account_not_found();
    return read(transaction, id);
  });
}

Result<AccountInfo> StoredAccounts::show_account(std::string_view account) {
  return read_existing<AccountInfo>(
      account, [](sql::Transaction& transaction, const std::string& id) { return *find_account(transaction, id); });
}

Result<AccountInfo> StoredAccounts::set_plan(std::string_view account, Plan plan) {
  const std::optional<Locator> locator = parse_account_id(account);
  if (!locator) return account_not_found();
  const std::lock_guard<std::mutex> lock(store_mutex_);
  const InvalidateOnExit invalidation(*this, *locator);
  const auto change = [this, plan](sql::Transaction& transaction, const std::string& id) {
    update_plan(transaction, id, plan);
    notify_change(transaction, id);
    return *find_account(transaction, id);
  };
  return read_existing<AccountInfo>(account, change);
}

Result<void> StoredAccounts::delete_account(std::string_view account) {
  const std::optional<Locator> locator = parse_account_id(account);
  if (!locator) return account_not_found();
  const std::string id(account);
  const std::lock_guard<std::mutex> lock(store_mutex_);
  const InvalidateOnExit invalidation(*this, *locator);
  bool found = false;
  dependencies_.store.transact_from_reserve([&](sql::Transaction& transaction) {
    found = find_account(transaction, id).has_value();
    if (!found) return;
    notify_change(transaction, id);  // first, because it may read the account
    remove_account(transaction, id);
  });
  if (!found) return account_not_found();
  on_account_deleted(*locator);
  calls_.remove_account(id);
  return {};
}

StoredAccounts::GeneratedKey StoredAccounts::generate_key(KeyKind kind, const Locator& locator,
                                                          std::string_view idempotency_key) {
  std::array<std::uint8_t, kKeyRandomBytes> key_bytes;
  std::array<std::uint8_t, kKeyIdRandomBytes> id_bytes;
  dependencies_.random.fill(key_bytes);
  dependencies_.random.fill(id_bytes);
  GeneratedKey key;
  key.shown.key_id = make_key_id(kind, locator, id_bytes);
  key.shown.key = idempotency_key.empty() ? make_api_key(dependencies_.hashing, secret_, locator, key_bytes)
                                          : derive_key(idempotency_key, locator, key.shown.key_id);
  key.row.info.key_id = key.shown.key_id;
  key.row.info.session = kind == KeyKind::session;
  key.row.hash = dependencies_.hashing.sha256(key.shown.key);
  return key;
}

/// Without the deployment's secret, the key is as hard to guess as random bytes. It is never stored (KEY-4).
std::string StoredAccounts::derive_key(std::string_view idempotency_key, const Locator& locator,
                                       const std::string& key_id) {
  const Sha256 mac =
      dependencies_.hashing.hmac_sha256(secret_, "made once: " + key_id + ' ' + std::string(idempotency_key));
  return make_api_key(dependencies_.hashing, secret_, locator, std::span(mac).first<kKeyRandomBytes>());
}

template <class Insert>
Result<NewKey> StoredAccounts::create_key_once(std::string_view account, const Locator& locator, KeyKind kind,
                                               std::string description, std::string_view idempotency_key,
                                               const Insert& insert) {
  const std::lock_guard<std::mutex> lock(store_mutex_);
  const InvalidateOnExit invalidation(*this, locator);
  const IdempotentRequest request(dependencies_.hashing, idempotency_key, std::move(description));
  GeneratedKey generated = generate_key(kind, locator, idempotency_key);
  const auto create = [&](sql::Transaction& transaction, const std::string& id) -> Result<NewKey> {
    const std::int64_t now_ms = time_of(transaction, dependencies_.clock);
    const auto previous = request.find_previous_result(transaction);
    if (!previous) return previous.error();
    if (!previous->empty()) {
      const auto found = find_active_key(transaction, id, *previous, now_ms);
      if (!found) return idempotent_result_gone();
      return NewKey{*previous, derive_key(idempotency_key, locator, *previous), found->info.expires_ms};
    }
    generated.row.info.created_ms = now_ms;
    if (auto error = insert(transaction, id, generated.row)) return *std::move(error);
    request.save(transaction, id, generated.shown.key_id, now_ms);
    notify_change(transaction, id, generated.row.info.key_id);
    generated.shown.expires_ms = generated.row.info.expires_ms;
    return generated.shown;
  };
  return read_existing<NewKey>(account, create);
}

Result<NewKey> StoredAccounts::create_key(std::string_view account, std::string_view idempotency_key) {
  const std::optional<Locator> locator = parse_account_id(account);
  if (!locator) return account_not_found();
  const auto insert = [](sql::Transaction& transaction, const std::string& id, KeyRow& row) -> std::optional<Error> {
    if (find_account(transaction, id)->active_keys >= kActiveKeysMax) return too_many_active_keys();
    insert_key(transaction, id, row);
    return std::nullopt;
  };
  return create_key_once(account, *locator, KeyKind::key, "key " + std::string(account), idempotency_key, insert);
}

Result<NewKey> StoredAccounts::create_session_key(std::string_view account, std::int64_t ttl_s,
                                                  std::string_view idempotency_key) {
  const std::optional<Locator> locator = parse_account_id(account);
  if (!locator) return account_not_found();
  if (ttl_s < 1 || ttl_s > kSessionSecondsMax) return invalid_ttl();
  const auto insert = [ttl_s](sql::Transaction& transaction, const std::string& id,
                              KeyRow& row) -> std::optional<Error> {
    row.info.expires_ms = row.info.created_ms + ttl_s * 1'000;
    insert_key(transaction, id, row);
    return std::nullopt;
  };
  return create_key_once(account, *locator, KeyKind::session,
                         "session " + std::string(account) + ' ' + std::to_string(ttl_s), idempotency_key, insert);
}

Result<std::vector<KeyInfo>> StoredAccounts::list_keys(std::string_view account) {
  return read_existing<std::vector<KeyInfo>>(account, read_keys_of_account);
}

Result<void> StoredAccounts::revoke_key(std::string_view key_id) {
  const std::optional<Locator> locator = parse_key_id(key_id);
  if (!locator) return key_not_found();
  const std::string id(key_id);
  const std::lock_guard<std::mutex> lock(store_mutex_);
  const InvalidateOnExit invalidation(*this, *locator);
  const std::string account = make_account_id(*locator);
  bool found = false;
  dependencies_.store.transact_from_reserve([&](sql::Transaction& transaction) {
    // RECORD-6: some rows of a deleted account may not have been removed yet.
    found = find_account(transaction, account).has_value() &&
            revoke_key_row(transaction, account, id, time_of(transaction, dependencies_.clock));
    if (found) notify_change(transaction, account, id);
  });
  if (!found) return key_not_found();
  return {};
}

Result<std::vector<CallRecord>> StoredAccounts::calls(std::string_view account, std::uint32_t limit) {
  if (!parse_account_id(account)) return account_not_found();
  flush();
  auto calls = latest_calls(dependencies_.store, std::string(account), limit, dependencies_.clock.now_ms());
  if (!calls) return account_not_found();
  return *std::move(calls);
}

Result<AccountLimits> StoredAccounts::limits(std::string_view account) {
  flush();
  const auto read = [this](sql::Transaction& transaction, const std::string& id) {
    return read_limits(transaction, id, time_of(transaction, dependencies_.clock));
  };
  return read_existing<AccountLimits>(account, read);
}

Result<AccountLimits> StoredAccounts::reset_limits(std::string_view account) {
  const std::optional<Locator> locator = parse_account_id(account);
  if (!locator) return account_not_found();
  if (dependencies_.unwritten_counts != nullptr) flush();  // the totals in that memory are not reset
  const std::lock_guard<std::mutex> lock(store_mutex_);
  const auto reset = [this](sql::Transaction& transaction, const std::string& id) {
    delete_counts(transaction, id);
    return read_limits(transaction, id, time_of(transaction, dependencies_.clock));
  };
  auto limits = read_existing<AccountLimits>(account, reset);
  // Memory is ahead of the database, so it is reset second: a call in between is counted in what is reset.
  if (limits) on_counts_reset(*locator);
  return limits;
}

Result<AccountMove> StoredAccounts::move_account(std::string_view account, std::size_t /*database*/) {
  const auto found = show_account(account);
  if (!found) return found.error();
  return state_not_divided();
}

Result<std::vector<DayUsage>> StoredAccounts::usage(std::string_view account) {
  flush();
  return read_existing<std::vector<DayUsage>>(account, read_usage);
}

}  // namespace tonearm::state
