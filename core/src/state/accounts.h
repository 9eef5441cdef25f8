#pragma once
// Accounts, their keys, counted calls and call records, over the sql port. Safe for concurrent calls.
//
// On the embedded store admission is exact in memory, and what it counted is written by `flush`, at most a
// second later (LIMIT-9); on a shared one it is a transaction of the store. Call records wait for `flush` on both.
// Everything else is durable when the call returns.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "domain/plan.h"
#include "tonearm/flush_report.h"
#include "tonearm/ports.h"
#include "tonearm/result.h"
#include "tonearm/sql.h"

namespace tonearm::state {

struct AccountInfo {
  std::string account;  // acc_...
  Plan plan = Plan::free;
  std::int64_t created_ms = 0;
  std::uint32_t active_keys = 0;
};

/// A point in the order of accounts, the oldest first.
struct AccountMark {
  std::int64_t created_ms = 0;
  std::string account;
};

struct AccountsWanted {
  std::uint32_t limit = 1'000;
  std::optional<AccountMark> after;  // none: from the first on
};

struct AccountsPage {
  std::vector<AccountInfo> accounts;
  std::uint64_t total = 0;           // of all accounts
  std::optional<AccountMark> after;  // for the next page; none: this is the last
};

struct KeyInfo {
  std::string key_id;  // key_... or ses_...
  bool session = false;
  std::int64_t created_ms = 0;
  std::optional<std::int64_t> expires_ms;
  std::optional<std::int64_t> revoked_ms;
};

struct NewKey {
  std::string key_id;
  std::string key;  // shown once, never stored
  std::optional<std::int64_t> expires_ms;
};

/// RECORD-1, RECORD-8. `search_text` only for searches.
struct CallRecord {
  std::string account;
  std::string key_id;
  std::int64_t at_ms = 0;   // where several calls share it, the start of its period
  std::int64_t number = 0;  // which no other record of the account has at that time; 0: none yet
  std::string method;
  std::string route;  // the template: /v1/tracks/{id}
  int status = 0;
  std::int64_t duration_ms = 0;
  std::optional<std::uint32_t> result_count;  // what the page held
  std::optional<std::string> search_text;
  bool first_party = false;
  std::uint64_t count = 1;               // how many calls share it; method and duration are the first one's
  std::optional<std::int64_t> period_s;  // where it is shared: a minute's seconds, or a day's
};

/// Calls of one UTC day, for usage displays.
struct DayUsage {
  std::int64_t day_begin_ms = 0;
  std::uint64_t calls = 0;
  std::uint64_t succeeded = 0;    // below 400
  std::uint64_t first_party = 0;  // of all calls those by session keys, which no limit counts
};

/// What was counted in the windows of an account, as they are at a time of the store. Sessions and the plan `unlimited`
/// are not counted (LIMIT-8).
struct AccountLimits {
  std::string account;
  Plan plan = Plan::free;
  struct Counted {
    Window window = Window::minute;
    std::optional<std::uint32_t> quota;  // none: the plan has no limit there
    std::uint32_t calls = 0;
    std::int64_t began_ms = 0;
    std::int64_t resets_ms = 0;
  };
  std::array<Counted, 3> windows;
};

struct Admission {
  enum class Outcome : std::uint8_t { invalid_key, refused, admitted };
  Outcome outcome = Outcome::invalid_key;
  std::string account;
  std::string key_id;
  Plan plan = Plan::free;
  bool first_party = false;
  std::optional<RateState> rate;  // none for unlimited plans and sessions (LIMIT-8)
  std::int64_t now_ms = 0;
  std::int64_t call_number = 0;  // where the store gives numbers; else 0
};

/// The secret under which the MACs of all keys are made (KEY-12).
struct KeySecretInfo {
  Sha256 sha256{};
  std::string made_in_state;  // the secret, where it was made there; empty: the operator has it
};

/// Whether a call counts, or its key alone is checked: a message to `/mcp` counts only once it is seen to call a tool
/// (MCP-5).
enum class Counting : std::uint8_t { counted, uncounted };

// state/state_transfer.h
enum class ImportMode : std::uint8_t;
struct ExportedKeys;
struct KeysToImport;

class Accounts {
 public:
  /// All of them outlive the object.
  struct Dependencies {
    Clock& clock;
    Random& random;
    Hashing& hashing;
    sql::Store& store;
    /// Called for each change of an account's plan or keys, and for its removal, in the transaction that makes it, with
    /// the id of the key that changed, or none; may be empty.
    std::function<void(sql::Transaction&, const std::string& account, const std::string& key_id)> on_change = {};
    /// Whether the store has so little room left that calls are counted by day instead of recorded (RECORD-9); empty:
    /// never. Called from any thread.
    std::function<bool()> is_short_of_room = {};
  };
  /// What is held in memory. Beyond `calls_waiting_max` call records that wait for `flush` a call writes them itself
  /// before it is admitted; while the database fails it is answered 503, so that no record is lost (RECORD-1).
  struct Bounds {
    std::size_t accounts_max = 100'000;
    std::size_t calls_waiting_max = 200'000;
  };
  /// Makes or migrates the tables and the key secret. Throws sql::Failure, also where the state was written by a
  /// newer version.
  static std::unique_ptr<Accounts> open(const Dependencies& dependencies, std::string key_secret, const Bounds& bounds);
  static std::unique_ptr<Accounts> open(const Dependencies& dependencies, std::string key_secret) {
    return open(dependencies, std::move(key_secret), Bounds{});
  }
  virtual ~Accounts() = default;

  /// Checks a presented key and counts the call, in one step (CHECK-3, CHECK-4). Uncounted, a call is never refused for
  /// a limit.
  virtual Admission admit(std::string_view key, Counting counting) = 0;
  Admission admit(std::string_view key) { return admit(key, Counting::counted); }
  /// The same where memory alone says it; nothing, and nothing is counted, where the store has to be asked or written.
  virtual std::optional<Admission> try_admit(std::string_view /*key*/, Counting /*counting*/) {
    return std::nullopt;
  }
  /// Keeps the record of an answered call for `flush`.
  virtual void record(CallRecord call) = 0;
  virtual FlushReport flush() = 0;
  /// True while there may be more to do.
  virtual bool retain_step() = 0;

  // The operator's. Unknown ids: not_found. Each is durable, and in force for the very next call, when it returns.
  // Where an idempotency key is given, the same request with it makes nothing twice and is answered alike; with it for
  // another request, or where what it made is gone: invalid_request (ADMIN-9).
  virtual Result<AccountInfo> create_account(Plan plan, std::string_view idempotency_key) = 0;
  AccountInfo create_account(Plan plan) { return *create_account(plan, {}); }
  virtual AccountsPage list_accounts(const AccountsWanted& wanted) = 0;
  virtual Result<AccountInfo> show_account(std::string_view account) = 0;
  virtual Result<AccountInfo> set_plan(std::string_view account, Plan plan) = 0;
  virtual Result<void> delete_account(std::string_view account) = 0;  // RECORD-6
  virtual Result<NewKey> create_key(std::string_view account, std::string_view idempotency_key) = 0;
  Result<NewKey> create_key(std::string_view account) {
    return create_key(account, {});
  }  // a sixth: invalid_request (KEY-5)
  virtual Result<NewKey> create_session(std::string_view account, std::int64_t ttl_s,
                                        std::string_view idempotency_key) = 0;  // KEY-9
  Result<NewKey> create_session(std::string_view account, std::int64_t ttl_s) {
    return create_session(account, ttl_s, {});
  }
  virtual Result<std::vector<KeyInfo>> list_keys(std::string_view account) = 0;
  virtual Result<void> revoke_key(std::string_view key_id) = 0;
  /// Latest first; unwritten ones included.
  virtual Result<std::vector<CallRecord>> calls(std::string_view account, std::uint32_t limit) = 0;
  /// What is counted in memory alone included (LIMIT-14).
  virtual Result<AccountLimits> limits(std::string_view account) = 0;
  /// All windows of the account are as if it had never called.
  virtual Result<AccountLimits> reset_limits(std::string_view account) = 0;
  /// Latest day first.
  virtual Result<std::vector<DayUsage>> usage(std::string_view account) = 0;
  /// The account and some of its keys, those with ids after `after` (MOVE-5).
  virtual Result<ExportedKeys> export_keys(std::string_view account, const std::string& after) = 0;
  /// All or nothing; gives how many rows are new (MOVE-6). Errors: invalid_request, which names what the state holds
  /// otherwise.
  virtual Result<std::size_t> import_keys(const KeysToImport& wanted, ImportMode mode) = 0;
  virtual KeySecretInfo key_secret() = 0;
};

}  // namespace tonearm::state
