#pragma once
// What embedded and shared accounts have in common: everything except admission. Safe for concurrent calls.

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "domain/api_key.h"
#include "state/accounts/account_rows.h"
#include "state/accounts/accounts.h"
#include "state/calls/pending_calls.h"
#include "state/schema.h"

namespace tonearm::state {

inline constexpr std::uint32_t kActiveKeysMax = 5;  // KEY-5

class StoredAccounts : public Accounts {
 public:
  void record(CallRecord call) override { calls_.add(std::move(call)); }
  Result<AccountInfo> create_account(Plan plan, std::string_view idempotency_key) override;
  AccountsPage list_accounts(const AccountsQuery& query) override;
  Result<AccountInfo> show_account(std::string_view account) override;
  Result<AccountInfo> set_plan(std::string_view account, Plan plan) override;
  Result<void> delete_account(std::string_view account) override;
  Result<NewKey> create_key(std::string_view account, std::string_view idempotency_key) override;
  Result<NewKey> create_session_key(std::string_view account, std::int64_t ttl_s,
                                    std::string_view idempotency_key) override;
  Result<std::vector<KeyInfo>> list_keys(std::string_view account) override;
  Result<void> revoke_key(std::string_view key_id) override;
  Result<std::vector<CallRecord>> calls(std::string_view account, std::uint32_t limit) override;
  Result<AccountLimits> limits(std::string_view account) override;
  Result<AccountLimits> reset_limits(std::string_view account) override;
  Result<AccountMove> move_account(std::string_view account, std::size_t database) override;
  Result<std::vector<DayUsage>> usage(std::string_view account) override;
  Result<ExportedKeys> export_keys(std::string_view account, const std::string& after) override;
  Result<std::size_t> import_keys(const KeysToImport& source, ImportMode mode) override;
  KeySecretInfo key_secret() override;

 protected:
  StoredAccounts(const Dependencies& dependencies, OpenedSchema schema, const Bounds& bounds);

  // Hooks for caches. The caller holds `store_mutex()`.
  /// Called after an account's plan or keys changed, or may have changed.
  virtual void on_account_changed(const Locator& locator) = 0;
  virtual void on_account_deleted(const Locator& locator) = 0;
  /// Called after the account's stored counts were deleted.
  virtual void on_counts_reset(const Locator& locator) = 0;

  /// Writes one batch of queued records. Returns how many records left the queue; 0: the queue is empty.
  virtual std::size_t write_call_batch() = 0;
  /// While the queue is full, writes records, so that none is lost (RECORD-1).
  void drain_full_call_queue();
  bool is_call_queue_full() const { return calls_.size() >= pending_calls_max_; }

  const Dependencies& dependencies() const { return dependencies_; }
  const std::string& secret() const { return secret_; }
  PendingCalls& pending_calls() { return calls_; }
  const PendingCalls& pending_calls() const { return calls_; }
  std::mutex& store_mutex() { return store_mutex_; }

 private:
  /// Invalidates caches of the account even if the transaction throws, because it may have been committed.
  class InvalidateOnExit {
   public:
    InvalidateOnExit(StoredAccounts& accounts, const Locator& locator) : accounts_(accounts), locator_(locator) {}
    ~InvalidateOnExit() { accounts_.on_account_changed(locator_); }
    InvalidateOnExit(const InvalidateOnExit&) = delete;
    InvalidateOnExit& operator=(const InvalidateOnExit&) = delete;

   private:
    StoredAccounts& accounts_;
    Locator locator_;
  };

  struct GeneratedKey {
    NewKey shown;
    KeyRow row;
  };

  /// Calls `Dependencies::on_change` in the transaction that makes the change.
  void notify_change(sql::Transaction& transaction, const std::string& account, const std::string& key_id = {}) const;
  GeneratedKey generate_key(KeyKind kind, const Locator& locator, std::string_view idempotency_key);
  /// Derives the key from its id and the idempotency key of the request that created it.
  std::string derive_key(std::string_view idempotency_key, const Locator& locator, const std::string& key_id);
  /// Creates a key of either kind. `insert(transaction, id, row)` checks the limits and stores the row, or returns an
  /// error.
  template <class Insert>
  Result<NewKey> create_key_once(std::string_view account, const Locator& locator, KeyKind kind, std::string request,
                                 std::string_view idempotency_key, const Insert& insert);
  template <class Value, class Read>
  Result<Value> read_existing(std::string_view account, const Read& read);

  Dependencies dependencies_;
  const std::size_t pending_calls_max_;
  const std::string secret_;
  PendingCalls calls_;
  // Held while accounts change in the database, so that embedded admission never caches a row that is older than what
  // an operator just wrote; and while call records are written, because only one thread may write them at a time.
  std::mutex store_mutex_;
};

}  // namespace tonearm::state
