#include <algorithm>
#include <mutex>
#include <span>
#include <utility>

#include "domain/api_key.h"
#include "state/account_removal.h"
#include "state/account_rows.h"
#include "state/accounts.h"
#include "state/admission.h"
#include "state/call_log.h"
#include "state/schema.h"

namespace tonearm::state {

namespace {

constexpr std::uint32_t kActiveKeysMax = 5;  // catalog-api, Limits
/// What one transaction of `flush` writes at most: some milliseconds.
constexpr std::size_t kCountersOfBatch = 100;
constexpr std::size_t kCallsOfBatch = 250;

Error no_such_account() { return {ErrorCode::not_found, "There is no account with this id."}; }
Error no_such_key() { return {ErrorCode::not_found, "There is no key with this id."}; }

/// The accounts of one server process (C7.2).
///
/// Whoever reads or writes accounts in the database holds `store_mutex_`, so that what a call reads into memory cannot
/// be older than what an operator has just written. Admission of an account in memory does not need it.
class EmbeddedAccounts final : public Accounts {
 public:
  EmbeddedAccounts(const Parts& parts, OpenedSchema schema, const Bounds& bounds)
      : parts_(parts),
        calls_waiting_max_(bounds.calls_waiting_max),
        secret_(std::move(schema.key_secret)),
        memory_(bounds.accounts_max),
        calls_(schema.run) {}

  Admission admit(std::string_view key) override;
  void record(CallRecord call) override { calls_.add(std::move(call)); }
  FlushReport flush() override;
  bool retain_step() override { return retain_rows(parts_.store, parts_.clock.now_ms()); }

  AccountInfo create_account(Plan plan) override;
  std::vector<AccountInfo> list_accounts() override;
  Result<AccountInfo> show_account(std::string_view account) override;
  Result<AccountInfo> set_plan(std::string_view account, Plan plan) override;
  Result<void> delete_account(std::string_view account) override;
  Result<NewKey> create_key(std::string_view account) override;
  Result<NewKey> create_session(std::string_view account, std::int64_t ttl_s) override;
  Result<std::vector<KeyInfo>> list_keys(std::string_view account) override;
  Result<void> revoke_key(std::string_view key_id) override;
  Result<std::vector<CallRecord>> calls(std::string_view account, std::uint32_t limit) override;
  Result<std::vector<DayUsage>> usage(std::string_view account) override;

 private:
  /// Makes admission read an account anew after its keys or plan changed, also when nobody knows whether they did.
  class ForgetAtEnd {
   public:
    ForgetAtEnd(AdmissionMemory& memory, const Locator& locator) : memory_(memory), locator_(locator) {}
    ~ForgetAtEnd() { memory_.forget(locator_); }
    ForgetAtEnd(const ForgetAtEnd&) = delete;
    ForgetAtEnd& operator=(const ForgetAtEnd&) = delete;

   private:
    AdmissionMemory& memory_;
    Locator locator_;
  };

  struct MadeKey {
    NewKey shown;
    KeyRow row;
  };

  Admission admit_from_store(const Locator& locator, const Sha256& key_hash);
  MadeKey make_key(KeyKind kind, const Locator& locator);
  std::size_t write_batch(std::span<const Locator> locators, std::size_t calls_max, FlushReport& report);
  template <class Value, class Read>
  Result<Value> read_of_account(std::string_view account, const Read& read);

  Parts parts_;
  const std::size_t calls_waiting_max_;
  const std::string secret_;
  AdmissionMemory memory_;
  WaitingCalls calls_;
  std::mutex store_mutex_;
};

Admission EmbeddedAccounts::admit(std::string_view key) {
  const auto invalid = [this] {
    Admission admission;
    admission.now_ms = parts_.clock.now_ms();
    return admission;
  };
  const std::optional<Locator> locator = named_locator(key);
  if (!locator) return invalid();  // C3.1
  const Sha256 key_hash = parts_.hashing.sha256(key);
  if (calls_.waiting() >= calls_waiting_max_) flush();
  // The hash of a key proves it where its account is in memory; only a look-up asks for the MAC (C3.2): what nobody of
  // this deployment made is refused without one.
  if (auto admission = memory_.admit(*locator, key_hash, parts_.clock)) return *std::move(admission);
  if (!locate_api_key(parts_.hashing, secret_, key)) return invalid();
  return admit_from_store(*locator, key_hash);
}

Admission EmbeddedAccounts::admit_from_store(const Locator& locator, const Sha256& key_hash) {
  const std::lock_guard<std::mutex> lock(store_mutex_);
  // Another call may have read the account while this one waited.
  if (auto admission = memory_.admit(locator, key_hash, parts_.clock)) return *std::move(admission);
  std::optional<StoredAccount> stored;
  const std::string account = make_account_id(locator);
  const std::int64_t now_ms = parts_.clock.now_ms();
  parts_.store.transact(
      [&](sql::Transaction& transaction) { stored = read_stored_account(transaction, account, now_ms); });
  if (stored) {
    memory_.keep(locator, *stored);
    if (auto admission = memory_.admit(locator, key_hash, parts_.clock)) return *std::move(admission);
  }
  // Nothing is kept of an account that does not exist: keys of deleted accounts take no memory.
  memory_.erase(locator);
  Admission admission;
  admission.now_ms = now_ms;
  return admission;
}

FlushReport EmbeddedAccounts::flush() {
  FlushReport report;
  // What comes in the meantime is the next flush's, so this one ends.
  const std::vector<Locator> counted = memory_.unwritten();
  std::span<const Locator> counts_left(counted);
  std::size_t calls_left = calls_.waiting();
  while (!counts_left.empty() || calls_left > 0) {
    const auto counts_now = counts_left.first(std::min(counts_left.size(), kCountersOfBatch));
    const std::size_t calls_now = write_batch(counts_now, std::min(calls_left, kCallsOfBatch), report);
    counts_left = counts_left.subspan(counts_now.size());
    calls_left = calls_now == 0 ? 0 : calls_left - calls_now;  // none: another call of flush has written them
  }
  return report;
}

/// C8: in batches, each one transaction, so that no write is held for long. A fault leaves what it meets, and all that
/// follows, for the next flush. Returns how many calls it dealt with.
std::size_t EmbeddedAccounts::write_batch(std::span<const Locator> locators, std::size_t calls_max,
                                          FlushReport& report) {
  const std::lock_guard<std::mutex> lock(store_mutex_);
  const std::vector<UnwrittenCounts> counts = memory_.counts_of(locators);
  const std::span<const NumberedCall> calls = calls_.longest_waiting(calls_max);
  if (counts.empty() && calls.empty()) return 0;
  std::size_t records_written = 0;
  parts_.store.transact([&](sql::Transaction& transaction) {
    for (const UnwrittenCounts& count : counts) {
      write_counts(transaction, make_account_id(count.locator), count.counts);
    }
    records_written = write_calls(transaction, calls);
  });
  memory_.written(counts);
  const std::size_t calls_written = calls.size();
  calls_.written(calls_written);
  report.counters_written += counts.size();
  report.records_written += records_written;
  return calls_written;
}

AccountInfo EmbeddedAccounts::create_account(Plan plan) {
  const std::lock_guard<std::mutex> lock(store_mutex_);
  AccountInfo info;
  info.plan = plan;
  info.created_ms = parts_.clock.now_ms();
  for (bool made = false; !made;) {
    Locator locator;
    parts_.random.fill(locator);
    info.account = make_account_id(locator);
    parts_.store.transact([&](sql::Transaction& transaction) {
      made = insert_account(transaction, info.account, plan, info.created_ms);
    });
  }
  return info;
}

std::vector<AccountInfo> EmbeddedAccounts::list_accounts() {
  std::vector<AccountInfo> accounts;
  parts_.store.transact([&](sql::Transaction& transaction) { accounts = all_accounts(transaction); });
  return accounts;
}

/// What `read` gives of an account that exists, in one transaction.
template <class Value, class Read>
Result<Value> EmbeddedAccounts::read_of_account(std::string_view account, const Read& read) {
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

Result<AccountInfo> EmbeddedAccounts::show_account(std::string_view account) {
  return read_of_account<AccountInfo>(
      account, [](sql::Transaction& transaction, const std::string& id) { return *find_account(transaction, id); });
}

Result<AccountInfo> EmbeddedAccounts::set_plan(std::string_view account, Plan plan) {
  const std::optional<Locator> locator = locate_account_id(account);
  if (!locator) return no_such_account();
  const std::lock_guard<std::mutex> lock(store_mutex_);
  const ForgetAtEnd forget(memory_, *locator);
  const auto change = [plan](sql::Transaction& transaction, const std::string& id) {
    update_plan(transaction, id, plan);
    return *find_account(transaction, id);
  };
  return read_of_account<AccountInfo>(account, change);
}

Result<void> EmbeddedAccounts::delete_account(std::string_view account) {
  const std::optional<Locator> locator = locate_account_id(account);
  if (!locator) return no_such_account();
  const std::string id(account);
  const std::lock_guard<std::mutex> lock(store_mutex_);
  const ForgetAtEnd forget(memory_, *locator);
  bool found = false;
  parts_.store.transact([&](sql::Transaction& transaction) { found = remove_account(transaction, id); });
  if (!found) return no_such_account();
  memory_.erase(*locator);
  calls_.drop(id);
  return {};
}

EmbeddedAccounts::MadeKey EmbeddedAccounts::make_key(KeyKind kind, const Locator& locator) {
  std::array<std::uint8_t, kKeyRandomBytes> key_bytes;
  std::array<std::uint8_t, kKeyIdRandomBytes> id_bytes;
  parts_.random.fill(key_bytes);
  parts_.random.fill(id_bytes);
  MadeKey made;
  made.shown.key_id = make_key_id(kind, locator, id_bytes);
  made.shown.key = make_api_key(parts_.hashing, secret_, locator, key_bytes);
  made.row.info.key_id = made.shown.key_id;
  made.row.info.session = kind == KeyKind::session;
  made.row.info.created_ms = parts_.clock.now_ms();
  made.row.hash = parts_.hashing.sha256(made.shown.key);
  return made;
}

Result<NewKey> EmbeddedAccounts::create_key(std::string_view account) {
  const std::optional<Locator> locator = locate_account_id(account);
  if (!locator) return no_such_account();
  const std::lock_guard<std::mutex> lock(store_mutex_);
  const ForgetAtEnd forget(memory_, *locator);
  const MadeKey made = make_key(KeyKind::key, *locator);
  const auto insert = [&made](sql::Transaction& transaction, const std::string& id) {
    if (find_account(transaction, id)->active_keys >= kActiveKeysMax) return false;
    insert_key(transaction, id, made.row);
    return true;
  };
  const Result<bool> inserted = read_of_account<bool>(account, insert);
  if (!inserted) return inserted.error();
  if (*inserted) return made.shown;
  return Error{ErrorCode::invalid_request,
               "The account has 5 active keys, which is as many as it may have: revoke one first."};
}

Result<NewKey> EmbeddedAccounts::create_session(std::string_view account, std::int64_t ttl_s) {
  const std::optional<Locator> locator = locate_account_id(account);
  if (!locator) return no_such_account();
  if (ttl_s < 1 || ttl_s > kSessionSecondsMax) {
    return Error{ErrorCode::invalid_request,
                 "ttl_s must be from 1 to " + std::to_string(kSessionSecondsMax) + " seconds."};
  }
  const std::lock_guard<std::mutex> lock(store_mutex_);
  const ForgetAtEnd forget(memory_, *locator);
  MadeKey made = make_key(KeyKind::session, *locator);
  made.row.info.expires_ms = made.row.info.created_ms + ttl_s * 1'000;
  made.shown.expires_ms = made.row.info.expires_ms;
  const auto insert = [&made](sql::Transaction& transaction, const std::string& id) {
    insert_key(transaction, id, made.row);
    return made.shown;
  };
  return read_of_account<NewKey>(account, insert);
}

Result<std::vector<KeyInfo>> EmbeddedAccounts::list_keys(std::string_view account) {
  return read_of_account<std::vector<KeyInfo>>(account, keys_of);
}

Result<void> EmbeddedAccounts::revoke_key(std::string_view key_id) {
  const std::optional<Locator> locator = locate_key_id(key_id);
  if (!locator) return no_such_key();
  const std::string id(key_id);
  const std::lock_guard<std::mutex> lock(store_mutex_);
  const ForgetAtEnd forget(memory_, *locator);
  const std::string account = make_account_id(*locator);
  const std::int64_t now_ms = parts_.clock.now_ms();
  bool found = false;
  parts_.store.transact([&](sql::Transaction& transaction) {
    // C9: some rows of a deleted account may still wait for their removal.
    found = find_account(transaction, account).has_value() && revoke_key_row(transaction, account, id, now_ms);
  });
  if (!found) return no_such_key();
  return {};
}

Result<std::vector<CallRecord>> EmbeddedAccounts::calls(std::string_view account, std::uint32_t limit) {
  if (!locate_account_id(account)) return no_such_account();
  flush();
  auto calls = latest_calls(parts_.store, std::string(account), limit, parts_.clock.now_ms());
  if (!calls) return no_such_account();
  return *std::move(calls);
}

Result<std::vector<DayUsage>> EmbeddedAccounts::usage(std::string_view account) {
  flush();
  return read_of_account<std::vector<DayUsage>>(account, read_usage);
}

}  // namespace

std::unique_ptr<Accounts> Accounts::open(const Parts& parts, std::string key_secret, const Bounds& bounds) {
  OpenedSchema schema = open_schema(parts.store, parts.random, std::move(key_secret));
  return std::make_unique<EmbeddedAccounts>(parts, std::move(schema), bounds);
}

}  // namespace tonearm::state
