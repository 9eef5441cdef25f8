#include "state/accounts_stored.h"

#include <array>
#include <utility>

#include "state/account_removal.h"
#include "state/creations.h"
#include "state/store_time.h"

namespace tonearm::state {

namespace {

Error made_and_gone() {
  return {ErrorCode::invalid_request, "What this Idempotency-Key made is no longer there: choose a new one."};
}
Error no_such_key() { return {ErrorCode::not_found, "There is no key with this id."}; }

}  // namespace

Error no_such_account() { return {ErrorCode::not_found, "There is no account with this id."}; }

class StoredAccounts::ChangedAtEnd {
 public:
  ChangedAtEnd(StoredAccounts& accounts, const Locator& locator) : accounts_(accounts), locator_(locator) {}
  ~ChangedAtEnd() { accounts_.changed(locator_); }
  ChangedAtEnd(const ChangedAtEnd&) = delete;
  ChangedAtEnd& operator=(const ChangedAtEnd&) = delete;

 private:
  StoredAccounts& accounts_;
  Locator locator_;
};

StoredAccounts::StoredAccounts(const Dependencies& dependencies, OpenedSchema schema, const Bounds& bounds)
    : dependencies_(dependencies),
      calls_waiting_max_(bounds.calls_waiting_max),
      secret_(std::move(schema.key_secret)),
      calls_(schema.run) {}

void StoredAccounts::make_room_for_calls() {
  // Who comes here writes its share alone: a whole backlog would keep it waiting.
  while (!has_room_for_calls() && write_some_calls() > 0) continue;
}

void StoredAccounts::note(sql::Transaction& transaction, const std::string& account, const std::string& key_id) const {
  if (dependencies_.on_change) dependencies_.on_change(transaction, account, key_id);
}

bool StoredAccounts::retain_step() { return retain_rows(dependencies_.store, dependencies_.clock); }

Result<AccountInfo> StoredAccounts::create_account(Plan plan, std::string_view idempotency_key) {
  const std::lock_guard<std::mutex> lock(store_mutex_);
  const Creation creation(dependencies_.hashing, idempotency_key,
                          "account " + std::string(kPlanNames[static_cast<std::size_t>(plan)]));
  for (;;) {
    Locator locator;
    dependencies_.random.fill(locator);
    AccountInfo info;
    info.account = make_account_id(locator);
    info.plan = plan;
    std::optional<Result<AccountInfo>> outcome;  // none: the id is taken
    dependencies_.store.transact([&](sql::Transaction& transaction) {
      outcome.reset();
      const auto before = creation.made_before(transaction);
      if (!before) return void(outcome = before.error());
      if (!before->empty()) {
        const auto found = find_account(transaction, *before);
        return void(outcome = found ? Result<AccountInfo>(*found) : made_and_gone());
      }
      info.created_ms = time_of(transaction, dependencies_.clock);
      if (!insert_account(transaction, info.account, plan, info.created_ms)) return;
      creation.note(transaction, info.account, info.account, info.created_ms);
      note(transaction, info.account);
      outcome = info;
    });
    if (outcome) return *std::move(outcome);
  }
}

AccountsPage StoredAccounts::list_accounts(const AccountsWanted& wanted) {
  AccountsPage page;
  dependencies_.store.transact([&](sql::Transaction& transaction) { page = accounts_page(transaction, wanted); });
  return page;
}

/// What `read` gives of an account that exists, in one transaction.
template <class Value, class Read>
Result<Value> StoredAccounts::read_of_account(std::string_view account, const Read& read) {
  if (!parse_account_id(account)) return no_such_account();
  const std::string id(account);
  std::optional<Value> value;
  dependencies_.store.transact([&](sql::Transaction& transaction) {
    value.reset();
    if (find_account(transaction, id)) value = read(transaction, id);
  });
  if (!value) return no_such_account();
  return *std::move(value);
}

Result<AccountInfo> StoredAccounts::show_account(std::string_view account) {
  return read_of_account<AccountInfo>(
      account, [](sql::Transaction& transaction, const std::string& id) { return *find_account(transaction, id); });
}

Result<AccountInfo> StoredAccounts::set_plan(std::string_view account, Plan plan) {
  const std::optional<Locator> locator = parse_account_id(account);
  if (!locator) return no_such_account();
  const std::lock_guard<std::mutex> lock(store_mutex_);
  const ChangedAtEnd end(*this, *locator);
  const auto change = [this, plan](sql::Transaction& transaction, const std::string& id) {
    update_plan(transaction, id, plan);
    note(transaction, id);
    return *find_account(transaction, id);
  };
  return read_of_account<AccountInfo>(account, change);
}

Result<void> StoredAccounts::delete_account(std::string_view account) {
  const std::optional<Locator> locator = parse_account_id(account);
  if (!locator) return no_such_account();
  const std::string id(account);
  const std::lock_guard<std::mutex> lock(store_mutex_);
  const ChangedAtEnd end(*this, *locator);
  bool found = false;
  dependencies_.store.transact_from_reserve([&](sql::Transaction& transaction) {
    found = remove_account(transaction, id);
    if (found) note(transaction, id);
  });
  if (!found) return no_such_account();
  deleted(*locator);
  calls_.drop(id);
  return {};
}

StoredAccounts::MadeKey StoredAccounts::make_key(KeyKind kind, const Locator& locator,
                                                 std::string_view idempotency_key) {
  std::array<std::uint8_t, kKeyRandomBytes> key_bytes;
  std::array<std::uint8_t, kKeyIdRandomBytes> id_bytes;
  dependencies_.random.fill(key_bytes);
  dependencies_.random.fill(id_bytes);
  MadeKey made;
  made.shown.key_id = make_key_id(kind, locator, id_bytes);
  made.shown.key = idempotency_key.empty() ? make_api_key(dependencies_.hashing, secret_, locator, key_bytes)
                                           : made_with(idempotency_key, locator, made.shown.key_id);
  made.row.info.key_id = made.shown.key_id;
  made.row.info.session = kind == KeyKind::session;
  made.row.hash = dependencies_.hashing.sha256(made.shown.key);
  return made;
}

/// As hard to guess as random bytes for whoever lacks the deployment's secret, and never stored (KEY-4).
std::string StoredAccounts::made_with(std::string_view idempotency_key, const Locator& locator,
                                      const std::string& key_id) {
  const Sha256 mac =
      dependencies_.hashing.hmac_sha256(secret_, "made once: " + key_id + ' ' + std::string(idempotency_key));
  return make_api_key(dependencies_.hashing, secret_, locator, std::span(mac).first<kKeyRandomBytes>());
}

template <class Insert>
Result<NewKey> StoredAccounts::create_once(std::string_view account, const Locator& locator, KeyKind kind,
                                           std::string request, std::string_view idempotency_key,
                                           const Insert& insert) {
  const std::lock_guard<std::mutex> lock(store_mutex_);
  const ChangedAtEnd end(*this, locator);
  const Creation creation(dependencies_.hashing, idempotency_key, std::move(request));
  MadeKey made = make_key(kind, locator, idempotency_key);
  struct Created {
    NewKey key;
    std::optional<Error> refusal;
  };
  const auto create = [&](sql::Transaction& transaction, const std::string& id) -> Created {
    const std::int64_t now_ms = time_of(transaction, dependencies_.clock);
    const auto before = creation.made_before(transaction);
    if (!before) return {{}, before.error()};
    if (!before->empty()) {
      const auto found = find_key_in_force(transaction, id, *before, now_ms);
      if (!found) return {{}, made_and_gone()};
      return {{*before, made_with(idempotency_key, locator, *before), found->info.expires_ms}, {}};
    }
    made.row.info.created_ms = now_ms;
    if (auto refusal = insert(transaction, id, made.row)) return {{}, std::move(refusal)};
    creation.note(transaction, id, made.shown.key_id, now_ms);
    note(transaction, id, made.row.info.key_id);
    made.shown.expires_ms = made.row.info.expires_ms;
    return {made.shown, {}};
  };
  const auto created = read_of_account<Created>(account, create);
  if (!created) return created.error();
  if (created->refusal) return *created->refusal;
  return created->key;
}

Result<NewKey> StoredAccounts::create_key(std::string_view account, std::string_view idempotency_key) {
  const std::optional<Locator> locator = parse_account_id(account);
  if (!locator) return no_such_account();
  const auto insert = [](sql::Transaction& transaction, const std::string& id, KeyRow& row) -> std::optional<Error> {
    if (find_account(transaction, id)->active_keys >= kActiveKeysMax) {
      return Error{ErrorCode::invalid_request,
                   "The account has 5 active keys, which is as many as it may have: revoke one first."};
    }
    insert_key(transaction, id, row);
    return std::nullopt;
  };
  return create_once(account, *locator, KeyKind::key, "key " + std::string(account), idempotency_key, insert);
}

Result<NewKey> StoredAccounts::create_session(std::string_view account, std::int64_t ttl_s,
                                              std::string_view idempotency_key) {
  const std::optional<Locator> locator = parse_account_id(account);
  if (!locator) return no_such_account();
  if (ttl_s < 1 || ttl_s > kSessionSecondsMax) {
    return Error{ErrorCode::invalid_request,
                 "ttl_s must be from 1 to " + std::to_string(kSessionSecondsMax) + " seconds."};
  }
  const auto insert = [ttl_s](sql::Transaction& transaction, const std::string& id,
                              KeyRow& row) -> std::optional<Error> {
    row.info.expires_ms = row.info.created_ms + ttl_s * 1'000;
    insert_key(transaction, id, row);
    return std::nullopt;
  };
  return create_once(account, *locator, KeyKind::session,
                     "session " + std::string(account) + ' ' + std::to_string(ttl_s), idempotency_key, insert);
}

Result<std::vector<KeyInfo>> StoredAccounts::list_keys(std::string_view account) {
  return read_of_account<std::vector<KeyInfo>>(account, keys_of);
}

Result<void> StoredAccounts::revoke_key(std::string_view key_id) {
  const std::optional<Locator> locator = parse_key_id(key_id);
  if (!locator) return no_such_key();
  const std::string id(key_id);
  const std::lock_guard<std::mutex> lock(store_mutex_);
  const ChangedAtEnd end(*this, *locator);
  const std::string account = make_account_id(*locator);
  bool found = false;
  dependencies_.store.transact_from_reserve([&](sql::Transaction& transaction) {
    // RECORD-6: some rows of a deleted account may still wait for their removal.
    found = find_account(transaction, account).has_value() &&
            revoke_key_row(transaction, account, id, time_of(transaction, dependencies_.clock));
    if (found) note(transaction, account, id);
  });
  if (!found) return no_such_key();
  return {};
}

Result<std::vector<CallRecord>> StoredAccounts::calls(std::string_view account, std::uint32_t limit) {
  if (!parse_account_id(account)) return no_such_account();
  flush();
  auto calls = latest_calls(dependencies_.store, std::string(account), limit, dependencies_.clock.now_ms());
  if (!calls) return no_such_account();
  return *std::move(calls);
}

Result<AccountLimits> StoredAccounts::limits(std::string_view account) {
  flush();
  const auto read = [this](sql::Transaction& transaction, const std::string& id) {
    return read_limits(transaction, id, time_of(transaction, dependencies_.clock));
  };
  return read_of_account<AccountLimits>(account, read);
}

Result<AccountLimits> StoredAccounts::reset_limits(std::string_view account) {
  const std::optional<Locator> locator = parse_account_id(account);
  if (!locator) return no_such_account();
  const std::lock_guard<std::mutex> lock(store_mutex_);
  const auto reset = [this](sql::Transaction& transaction, const std::string& id) {
    delete_counts(transaction, id);
    return read_limits(transaction, id, time_of(transaction, dependencies_.clock));
  };
  auto limits = read_of_account<AccountLimits>(account, reset);
  // Memory is ahead of the database, so it forgets after it: a call in between is counted in what is forgotten.
  if (limits) counts_reset(*locator);
  return limits;
}

Result<std::vector<DayUsage>> StoredAccounts::usage(std::string_view account) {
  flush();
  return read_of_account<std::vector<DayUsage>>(account, read_usage);
}

}  // namespace tonearm::state
