#pragma once
// What the embedded and the shared accounts have in common: all but admission. Safe for concurrent calls.

#include <cstddef>
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

class StoredAccounts : public Accounts {
 public:
  void record(CallRecord call) override { calls_.add(std::move(call)); }
  bool retain_step() override;
  std::optional<std::string> locate(std::string_view key) const override;
  std::vector<CallRecord> take_calls() override { return calls_.take(); }
  std::size_t write_now(const std::vector<CallRecord>& calls) override;

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

 protected:
  StoredAccounts(const Parts& parts, OpenedSchema schema, const Bounds& bounds);

  /// An account's plan or keys have changed, also when nobody knows whether they did. `store_mutex()` is held.
  virtual void changed(const Locator& locator) = 0;
  /// The account is gone. `store_mutex()` is held.
  virtual void deleted(const Locator& locator) = 0;
  /// Writes one batch of the records that wait. Returns how many it dealt with; none: none waits.
  virtual std::size_t write_some_calls() = 0;
  /// Writes some of what waits where too much does (C8), so that no record is lost.
  void make_room_for_calls();

  const Parts& parts() const { return parts_; }
  const std::string& secret() const { return secret_; }
  WaitingCalls& waiting_calls() { return calls_; }
  std::mutex& store_mutex() { return store_mutex_; }

 private:
  class ChangedAtEnd;

  struct MadeKey {
    NewKey shown;
    KeyRow row;
  };

  /// The account has changed, or is gone: in the transaction that does it.
  void note(sql::Transaction& transaction, const std::string& account) const;
  MadeKey make_key(KeyKind kind, const Locator& locator);
  template <class Value, class Read>
  Result<Value> read_of_account(std::string_view account, const Read& read);

  Parts parts_;
  const std::size_t calls_waiting_max_;
  const std::string secret_;
  WaitingCalls calls_;
  // Whoever changes accounts in the database holds it, so that what embedded admission reads into memory cannot be
  // older than what an operator has just written; and whoever writes call records, because one may at a time.
  std::mutex store_mutex_;
};

}  // namespace tonearm::state
