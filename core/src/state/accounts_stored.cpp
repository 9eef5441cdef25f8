#include "state/accounts_stored.h"

#include <array>
#include <utility>

#include "state/account_copy.h"
#include "state/account_removal.h"
#include "state/store_time.h"

namespace tonearm::state {

namespace {

constexpr std::uint32_t kActiveKeysMax = 5;  // catalog-api, Limits

Error no_such_account() { return {ErrorCode::not_found, "There is no account with this id."}; }
Error no_such_key() { return {ErrorCode::not_found, "There is no key with this id."}; }

}  // namespace

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

StoredAccounts::StoredAccounts(const Parts& parts, OpenedSchema schema, const Bounds& bounds)
    : parts_(parts),
      calls_waiting_max_(bounds.calls_waiting_max),
      secret_(std::move(schema.key_secret)),
      calls_(schema.run) {}

void StoredAccounts::make_room_for_calls() {
  // Who comes here writes its share alone: a whole backlog would keep it waiting.
  while (calls_.waiting() >= calls_waiting_max_ && write_some_calls() > 0) continue;
}

std::optional<std::string> StoredAccounts::locate(std::string_view key) const {
  const auto locator = locate_api_key(parts_.hashing, secret_, key);
  if (!locator) return std::nullopt;
  return make_account_id(*locator);
}

std::size_t StoredAccounts::write_now(const std::vector<CallRecord>& calls) {
  std::vector<NumberedCall> numbered;
  numbered.reserve(calls.size());
  for (const CallRecord& call : calls) numbered.push_back({call.number, call});
  const std::lock_guard<std::mutex> lock(store_mutex_);
  std::size_t written = 0;
  parts_.store.transact([&](sql::Transaction& transaction) { written = write_calls(transaction, numbered); });
  return written;
}

void StoredAccounts::note(sql::Transaction& transaction, const std::string& account) const {
  if (parts_.copies == Copies::elsewhere) note_change(transaction, account);
}

bool StoredAccounts::retain_step() { return retain_rows(parts_.store, parts_.clock); }

AccountInfo StoredAccounts::create_account(Plan plan) {
  const std::lock_guard<std::mutex> lock(store_mutex_);
  AccountInfo info;
  info.plan = plan;
  for (bool made = false; !made;) {
    Locator locator;
    parts_.random.fill(locator);
    info.account = make_account_id(locator);
    parts_.store.transact([&](sql::Transaction& transaction) {
      info.created_ms = time_of(transaction, parts_.clock);
      made = insert_account(transaction, info.account, plan, info.created_ms);
      if (made) note(transaction, info.account);
    });
  }
  return info;
}

std::vector<AccountInfo> StoredAccounts::list_accounts() {
  std::vector<AccountInfo> accounts;
  parts_.store.transact([&](sql::Transaction& transaction) { accounts = all_accounts(transaction); });
  return accounts;
}

/// What `read` gives of an account that exists, in one transaction.
template <class Value, class Read>
Result<Value> StoredAccounts::read_of_account(std::string_view account, const Read& read) {
  if (!locate_account_id(account)) return no_such_account();
  const std::string id(account);
  std::optional<Value> value;
  parts_.store.transact([&](sql::Transaction& transaction) {
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
  const std::optional<Locator> locator = locate_account_id(account);
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
  const std::optional<Locator> locator = locate_account_id(account);
  if (!locator) return no_such_account();
  const std::string id(account);
  const std::lock_guard<std::mutex> lock(store_mutex_);
  const ChangedAtEnd end(*this, *locator);
  bool found = false;
  parts_.store.transact([&](sql::Transaction& transaction) {
    found = remove_account(transaction, id);
    if (found) note(transaction, id);
  });
  if (!found) return no_such_account();
  deleted(*locator);
  calls_.drop(id);
  return {};
}

StoredAccounts::MadeKey StoredAccounts::make_key(KeyKind kind, const Locator& locator) {
  std::array<std::uint8_t, kKeyRandomBytes> key_bytes;
  std::array<std::uint8_t, kKeyIdRandomBytes> id_bytes;
  parts_.random.fill(key_bytes);
  parts_.random.fill(id_bytes);
  MadeKey made;
  made.shown.key_id = make_key_id(kind, locator, id_bytes);
  made.shown.key = make_api_key(parts_.hashing, secret_, locator, key_bytes);
  made.row.info.key_id = made.shown.key_id;
  made.row.info.session = kind == KeyKind::session;
  made.row.hash = parts_.hashing.sha256(made.shown.key);
  return made;
}

Result<NewKey> StoredAccounts::create_key(std::string_view account) {
  const std::optional<Locator> locator = locate_account_id(account);
  if (!locator) return no_such_account();
  const std::lock_guard<std::mutex> lock(store_mutex_);
  const ChangedAtEnd end(*this, *locator);
  MadeKey made = make_key(KeyKind::key, *locator);
  const auto insert = [&](sql::Transaction& transaction, const std::string& id) {
    made.row.info.created_ms = time_of(transaction, parts_.clock);
    if (find_account(transaction, id)->active_keys >= kActiveKeysMax) return false;
    insert_key(transaction, id, made.row);
    note(transaction, id);
    return true;
  };
  const Result<bool> inserted = read_of_account<bool>(account, insert);
  if (!inserted) return inserted.error();
  if (*inserted) return made.shown;
  return Error{ErrorCode::invalid_request,
               "The account has 5 active keys, which is as many as it may have: revoke one first."};
}

Result<NewKey> StoredAccounts::create_session(std::string_view account, std::int64_t ttl_s) {
  const std::optional<Locator> locator = locate_account_id(account);
  if (!locator) return no_such_account();
  if (ttl_s < 1 || ttl_s > kSessionSecondsMax) {
    return Error{ErrorCode::invalid_request,
                 "ttl_s must be from 1 to " + std::to_string(kSessionSecondsMax) + " seconds."};
  }
  const std::lock_guard<std::mutex> lock(store_mutex_);
  const ChangedAtEnd end(*this, *locator);
  MadeKey made = make_key(KeyKind::session, *locator);
  const auto insert = [&](sql::Transaction& transaction, const std::string& id) {
    made.row.info.created_ms = time_of(transaction, parts_.clock);
    made.row.info.expires_ms = made.row.info.created_ms + ttl_s * 1'000;
    made.shown.expires_ms = made.row.info.expires_ms;
    insert_key(transaction, id, made.row);
    note(transaction, id);
    return made.shown;
  };
  return read_of_account<NewKey>(account, insert);
}

Result<std::vector<KeyInfo>> StoredAccounts::list_keys(std::string_view account) {
  return read_of_account<std::vector<KeyInfo>>(account, keys_of);
}

Result<void> StoredAccounts::revoke_key(std::string_view key_id) {
  const std::optional<Locator> locator = locate_key_id(key_id);
  if (!locator) return no_such_key();
  const std::string id(key_id);
  const std::lock_guard<std::mutex> lock(store_mutex_);
  const ChangedAtEnd end(*this, *locator);
  const std::string account = make_account_id(*locator);
  bool found = false;
  parts_.store.transact([&](sql::Transaction& transaction) {
    // C9: some rows of a deleted account may still wait for their removal.
    found = find_account(transaction, account).has_value() &&
            revoke_key_row(transaction, account, id, time_of(transaction, parts_.clock));
    if (found) note(transaction, account);
  });
  if (!found) return no_such_key();
  return {};
}

Result<std::vector<CallRecord>> StoredAccounts::calls(std::string_view account, std::uint32_t limit) {
  if (!locate_account_id(account)) return no_such_account();
  flush();
  auto calls = latest_calls(parts_.store, std::string(account), limit, parts_.clock.now_ms());
  if (!calls) return no_such_account();
  return *std::move(calls);
}

Result<std::vector<DayUsage>> StoredAccounts::usage(std::string_view account) {
  flush();
  return read_of_account<std::vector<DayUsage>>(account, read_usage);
}

}  // namespace tonearm::state
