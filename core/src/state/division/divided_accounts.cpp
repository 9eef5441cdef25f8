#include "state/division/divided_accounts.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "domain/api_key.h"
#include "state/accounts/account_rows.h"
#include "state/accounts/idempotency.h"
#include "state/columns.h"
#include "state/division/account_move.h"
#include "state/division/database_list.h"
#include "state/transact.h"
#include "tonearm/ascii.h"

namespace tonearm::state {

namespace {

/// Flushes are 250 ms apart (LIMIT-9), and a database that does not answer delays one for five seconds.
constexpr int kSkippedFlushes = 40;

/// A database that is skipped because a flush has failed.
struct SkippedDatabase {
  int flushes_left = 0;
  std::string failure;
};

/// In the order of lists.
auto rank_of(const AccountInfo& info) { return std::tie(info.created_ms, info.account); }

class DividedAccounts final : public Accounts {
 public:
  DividedAccounts(const DividedDependencies& with, const std::string& key_secret, const Bounds& bounds)
      : with_(with), secret_(key_secret), skipped_(with.stores.size()) {
    const std::vector<DatabaseOfState> places = check_databases(with.stores, with.random);
    databases_.resize(places.size());
    // The first one last: when it stores the length of the list, all others have their places.
    for (std::size_t index = places.size(); index-- > 0;) {
      Dependencies one{with.clock, with.random, with.hashing, with.stores.at(index)};
      one.database = places[index];
      one.accepts = [this, index](const std::string& account) { return with_.stores.first_index(account) == index; };
      databases_[index] = Accounts::open(one, key_secret, bounds);
    }
  }

  Admission admit(std::string_view key, Counting counting) override;

  Result<AccountInfo> create_account(Plan plan, std::string_view idempotency_key) override;
  AccountsPage list_accounts(const AccountsQuery& query) override;
  Result<AccountInfo> show_account(std::string_view account) override {
    return run(account, [&](Accounts& accounts) { return accounts.show_account(account); });
  }
  Result<AccountInfo> set_plan(std::string_view account, Plan plan) override {
    return run(account, [&](Accounts& accounts) { return accounts.set_plan(account, plan); });
  }
  Result<void> delete_account(std::string_view account) override {
    return run(account, [&](Accounts& accounts) { return accounts.delete_account(account); });
  }
  Result<NewKey> create_key(std::string_view account, std::string_view idempotency_key) override {
    return run(account, [&](Accounts& accounts) { return accounts.create_key(account, idempotency_key); });
  }
  Result<NewKey> create_session_key(std::string_view account, std::int64_t ttl_s,
                                    std::string_view idempotency_key) override {
    return run(account,
               [&](Accounts& accounts) { return accounts.create_session_key(account, ttl_s, idempotency_key); });
  }
  Result<std::vector<KeyInfo>> list_keys(std::string_view account) override {
    return run(account, [&](Accounts& accounts) { return accounts.list_keys(account); });
  }
  Result<void> revoke_key(std::string_view key_id) override {
    const std::optional<Locator> locator = parse_key_id(key_id);
    const std::string account = locator ? make_account_id(*locator) : std::string();
    return run(account, [&](Accounts& accounts) { return accounts.revoke_key(key_id); });
  }
  Result<AccountLimits> limits(std::string_view account) override {
    return run(account, [&](Accounts& accounts) { return accounts.limits(account); });
  }
  Result<AccountLimits> reset_limits(std::string_view account) override {
    return run(account, [&](Accounts& accounts) { return accounts.reset_limits(account); });
  }
  Result<AccountMove> move_account(std::string_view account, std::size_t database) override;

  Result<ExportedKeys> export_keys(std::string_view account, const std::string& after) override {
    return run(account, [&](Accounts& accounts) { return accounts.export_keys(account, after); });
  }
  /// An import creates an account that it does not find, so it looks in all databases.
  Result<std::size_t> import_keys(const KeysToImport& source, ImportMode mode) override {
    const std::string& account = source.account.account;
    const std::size_t index = with_.stores.find_index(account).value_or(with_.stores.first_index(account));
    return databases_[index]->import_keys(source, mode);
  }
  KeySecretInfo key_secret() override { return databases_.front()->key_secret(); }

  void record(CallRecord call) override {
    Accounts& accounts = *databases_[with_.stores.last_known(call.account)];
    accounts.record(std::move(call));
  }
  FlushReport flush() override;
  void skip_no_database() override {
    const std::lock_guard<std::mutex> lock(flush_mutex_);
    for (SkippedDatabase& skipped : skipped_) skipped.flushes_left = 0;
  }
  Result<std::vector<CallRecord>> calls(std::string_view account, std::uint32_t limit) override {
    return run(account, [&](Accounts& accounts) { return accounts.calls(account, limit); });
  }
  Result<std::vector<DayUsage>> usage(std::string_view account) override {
    return run(account, [&](Accounts& accounts) { return accounts.usage(account); });
  }

 private:
  /// Runs `work` in the account's database, wherever it is moved meanwhile.
  template <class Work>
  std::invoke_result_t<const Work&, Accounts&> run(std::string_view account, const Work& work) {
    const std::string id(account);
    if (!parse_account_id(id)) return work(*databases_.front());
    return with_.stores.run(
        id, [&](std::size_t index) { return work(*databases_[index]); },
        [](const auto& result) { return result.has_error() && result.error().code == ErrorCode::not_found; });
  }

  std::optional<std::string> find_creation(const std::string& key_sha256) const;
  std::optional<Result<AccountInfo>> repeat_creation(const std::string& account, const IdempotentRequest& request);

  DividedDependencies with_;
  std::string secret_;
  std::vector<std::unique_ptr<Accounts>> databases_;
  std::mutex flush_mutex_;
  std::vector<SkippedDatabase> skipped_;  // by database; guarded by the mutex
};

Admission DividedAccounts::admit(std::string_view key, Counting counting) {
  // KEY-2, KEY-3: a key of another deployment is rejected without a lookup.
  const std::optional<Locator> locator = verify_api_key(with_.hashing, secret_, key);
  if (!locator) return databases_.front()->admit(key, counting);
  return with_.stores.run(
      make_account_id(*locator), [&](std::size_t index) { return databases_[index]->admit(key, counting); },
      [](const Admission& admission) { return admission.outcome == Admission::Outcome::invalid_key; });
}

/// Returns the account that a request with this key has created; nothing if there is none.
std::optional<std::string> DividedAccounts::find_creation(const std::string& key_sha256) const {
  // The account may be moved behind a first look to a database that was already looked at.
  for (int looks = 0; looks < 2; ++looks) {
    for (std::size_t index = 0; index < databases_.size(); ++index) {
      std::string account;
      const Presence presence = transact(with_.stores.at(index), [&](sql::Transaction& transaction) {
        const sql::Rows rows = transaction.execute("SELECT account FROM creations WHERE key_sha256 = ?1", {key_sha256});
        if (rows.empty()) return Presence::absent;
        account = text_at(rows[0], 0);
        return presence_of(transaction, account);
      });
      if (presence == Presence::moving) throw account_is_moving();
      if (presence == Presence::present) return account;
    }
  }
  return std::nullopt;
}

/// Returns the result of an earlier request; nothing if its account was deleted meanwhile.
std::optional<Result<AccountInfo>> DividedAccounts::repeat_creation(const std::string& account,
                                                                    const IdempotentRequest& request) {
  using Repeated = std::optional<Result<AccountInfo>>;
  const auto read = [&](sql::Transaction& transaction) -> Repeated {
    const auto created_id = request.find_previous_result(transaction);
    if (!created_id) return created_id.error();
    const auto found = find_account(transaction, *created_id);
    return found ? Repeated(*found) : std::nullopt;
  };
  return with_.stores.run(
      account, [&](std::size_t index) { return transact(with_.stores.at(index), read); },
      [](const Repeated& repeated) { return !repeated; });
}

/// A repeated request is answered by the database that has the first result (ADMIN-9). If there is none yet, the hash
/// of the key names the database, so that two servers that get the request at once use the same one.
Result<AccountInfo> DividedAccounts::create_account(Plan plan, std::string_view idempotency_key) {
  std::array<std::uint8_t, 4> bytes;
  if (idempotency_key.empty()) {
    with_.random.fill(bytes);
  } else {
    const Sha256 hash = with_.hashing.sha256(idempotency_key);
    std::copy_n(hash.begin(), bytes.size(), bytes.begin());
    if (const auto created = find_creation(ascii::to_hex(hash))) {
      const auto repeated = repeat_creation(*created, account_creation(with_.hashing, idempotency_key, plan));
      if (repeated) return *repeated;
    }
  }
  std::uint32_t number = 0;
  for (const std::uint8_t byte : bytes) number = number << 8U | byte;
  return databases_[number % databases_.size()]->create_account(plan, idempotency_key);
}

AccountsPage DividedAccounts::list_accounts(const AccountsQuery& query) {
  AccountsPage all;
  bool is_last = true;
  for (const auto& database : databases_) {
    AccountsPage page = database->list_accounts(query);
    all.total += page.total;
    is_last = is_last && !page.after;
    std::move(page.accounts.begin(), page.accounts.end(), std::back_inserter(all.accounts));
  }
  for (AccountInfo& info : accounts_being_moved(with_.stores)) {
    ++all.total;
    if (!query.after || std::tie(query.after->created_ms, query.after->account) < rank_of(info)) {
      all.accounts.push_back(std::move(info));
    }
  }
  std::sort(all.accounts.begin(), all.accounts.end(),
            [](const auto& one, const auto& other) { return rank_of(one) < rank_of(other); });
  // A move may have begun or ended between two reads.
  const auto is_same = [](const auto& one, const auto& other) { return one.account == other.account; };
  all.accounts.erase(std::unique(all.accounts.begin(), all.accounts.end(), is_same), all.accounts.end());
  if (all.accounts.size() > query.limit) {
    all.accounts.resize(query.limit);
    is_last = false;
  }
  if (!is_last && !all.accounts.empty()) {
    all.after = AccountCursor{all.accounts.back().created_ms, all.accounts.back().account};
  }
  return all;
}

/// Writes the call records of this server first, so that they are moved, too.
Result<AccountMove> DividedAccounts::move_account(std::string_view account, std::size_t database) {
  if (!parse_account_id(account)) return account_not_found();
  const std::string id(account);
  databases_[with_.stores.last_known(id)]->flush();
  return run_move_step(with_.stores, {with_.clock, with_.random}, id, database);
}

/// A database that fails keeps its records, and is skipped in some flushes, so that it does not delay the others for
/// long.
FlushReport DividedAccounts::flush() {
  const std::lock_guard<std::mutex> lock(flush_mutex_);
  FlushReport report;
  std::optional<std::string> failure;
  for (std::size_t index = 0; index < databases_.size(); ++index) {
    SkippedDatabase& skipped = skipped_[index];
    if (skipped.flushes_left > 0) {
      --skipped.flushes_left;
      failure = skipped.failure;
      continue;
    }
    try {
      const FlushReport one = databases_[index]->flush();
      report.counters_written += one.counters_written;
      report.records_written += one.records_written;
    } catch (const sql::Failure& failed) {
      skipped = {kSkippedFlushes, failed.what()};
      failure = failed.what();
    }
  }
  if (failure) throw sql::Failure(*failure);
  return report;
}

}  // namespace

std::unique_ptr<Accounts> open_divided_accounts(const DividedDependencies& dependencies, const std::string& key_secret,
                                                const Accounts::Bounds& bounds) {
  return std::make_unique<DividedAccounts>(dependencies, key_secret, bounds);
}

}  // namespace tonearm::state
