#pragma once
// What the embedded and the shared accounts have in common: all but admission. Safe for concurrent calls.

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "domain/api_key.h"
#include "state/account_rows.h"
#include "state/accounts.h"
#include "state/call_log.h"
#include "state/schema.h"

namespace tonearm::state {

inline constexpr std::uint32_t kActiveKeysMax = 5;  // KEY-5

Error no_such_account();

class StoredAccounts : public Accounts {
 public:
  void record(CallRecord call) override { calls_.add(std::move(call)); }
  bool retain_step() override;

  Result<AccountInfo> create_account(Plan plan, std::string_view idempotency_key) override;
  AccountsPage list_accounts(const AccountsWanted& wanted) override;
  Result<AccountInfo> show_account(std::string_view account) override;
  Result<AccountInfo> set_plan(std::string_view account, Plan plan) override;
  Result<void> delete_account(std::string_view account) override;
  Result<NewKey> create_key(std::string_view account, std::string_view idempotency_key) override;
  Result<NewKey> create_session(std::string_view account, std::int64_t ttl_s,
                                std::string_view idempotency_key) override;
  Result<std::vector<KeyInfo>> list_keys(std::string_view account) override;
  Result<void> revoke_key(std::string_view key_id) override;
  Result<std::vector<CallRecord>> calls(std::string_view account, std::uint32_t limit) override;
  Result<AccountLimits> limits(std::string_view account) override;
  Result<AccountLimits> reset_limits(std::string_view account) override;
  Result<std::vector<DayUsage>> usage(std::string_view account) override;
  Result<ExportedKeys> export_keys(std::string_view account, const std::string& after) override;
  Result<std::size_t> import_keys(const KeysToImport& wanted, ImportMode mode) override;
  KeySecretInfo key_secret() override;

 protected:
  StoredAccounts(const Dependencies& dependencies, OpenedSchema schema, const Bounds& bounds);

  /// An account's plan or keys have changed, also where it is not known whether they did. `store_mutex()` is held.
  virtual void changed(const Locator& locator) = 0;
  /// The account is gone. `store_mutex()` is held.
  virtual void deleted(const Locator& locator) = 0;
  /// The account's counts are no longer stored. `store_mutex()` is held.
  virtual void counts_reset(const Locator& locator) = 0;
  /// Writes one batch of the records that wait. Returns how many it dealt with; none: none waits.
  virtual std::size_t write_some_calls() = 0;
  /// Writes some of what waits where too much does (RECORD-1), so that no record is lost.
  void make_room_for_calls();
  bool has_room_for_calls() const { return calls_.waiting() < calls_waiting_max_; }

  const Dependencies& dependencies() const { return dependencies_; }
  const std::string& secret() const { return secret_; }
  WaitingCalls& waiting_calls() { return calls_; }
  const WaitingCalls& waiting_calls() const { return calls_; }
  std::mutex& store_mutex() { return store_mutex_; }

 private:
  class ChangedAtEnd;

  struct MadeKey {
    NewKey shown;
    KeyRow row;
  };

  /// Tells that the account, or a key of it, has changed, or is gone, in the transaction that does it.
  void note(sql::Transaction& transaction, const std::string& account, const std::string& key_id = {}) const;
  MadeKey make_key(KeyKind kind, const Locator& locator, std::string_view idempotency_key);
  /// The key itself, which follows from its id and the idempotency key that made it.
  std::string made_with(std::string_view idempotency_key, const Locator& locator, const std::string& key_id);
  /// As `create_key`, with what `insert(transaction, id, made)` says of the limits.
  template <class Insert>
  Result<NewKey> create_once(std::string_view account, const Locator& locator, KeyKind kind, std::string request,
                             std::string_view idempotency_key, const Insert& insert);
  template <class Value, class Read>
  Result<Value> read_of_account(std::string_view account, const Read& read);

  Dependencies dependencies_;
  const std::size_t calls_waiting_max_;
  const std::string secret_;
  WaitingCalls calls_;
  // Whoever changes accounts in the database holds it, so that what embedded admission reads into memory cannot be
  // older than what an operator has just written; and whoever writes call records, because one may at a time.
  std::mutex store_mutex_;
};

}  // namespace tonearm::state
