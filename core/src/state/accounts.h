#pragma once
// Accounts, their keys, counted calls and call records, over the sql port. Safe for concurrent calls.
//
// On the embedded store admission is exact in memory, and what it counted is written by `flush`, at most a
// second later (C7.6); on a shared one it is a transaction of the store. Call records wait for `flush` on both.
// Everything else is durable when the call returns.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "domain/plan.h"
#include "tonearm/ports.h"
#include "tonearm/result.h"
#include "tonearm/service.h"
#include "tonearm/sql.h"

namespace tonearm::state {

struct AccountInfo {
  std::string account;  // acc_...
  Plan plan = Plan::free;
  std::int64_t created_ms = 0;
  std::uint32_t active_keys = 0;
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

/// C8. `search_text` only for searches.
struct CallRecord {
  std::string account;
  std::string key_id;
  std::int64_t at_ms = 0;
  std::int64_t number = 0;  // which no other record of the account has at that time; 0: none yet
  std::string method;
  std::string route;  // the template: /v1/tracks/{id}
  int status = 0;
  std::int64_t duration_ms = 0;
  std::optional<std::uint32_t> result_count;  // what the page held
  std::optional<std::string> search_text;
  bool first_party = false;
};

/// Calls of one UTC day, for usage displays.
struct DayUsage {
  std::int64_t day_begin_ms = 0;
  std::uint64_t calls = 0;
  std::uint64_t succeeded = 0;    // below 400
  std::uint64_t first_party = 0;  // of all calls those by session keys, which no limit counts
};

struct Admission {
  enum class Outcome : std::uint8_t { invalid_key, refused, admitted };
  Outcome outcome = Outcome::invalid_key;
  std::string account;
  std::string key_id;
  Plan plan = Plan::free;
  bool first_party = false;
  std::optional<RateState> rate;  // none for unlimited plans and sessions (C7.5)
  std::int64_t now_ms = 0;
  std::int64_t call_number = 0;  // where the store gives numbers; else 0
};

class Accounts {
 public:
  /// Whether homes elsewhere have copies of accounts, so that what changes is written down for them.
  enum class Copies : std::uint8_t { none, elsewhere };
  struct Parts {
    Clock& clock;
    Random& random;
    Hashing& hashing;
    sql::Store& store;
    Copies copies = Copies::none;
  };
  /// What is held in memory. Beyond `calls_waiting_max` call records that wait for `flush` a call writes them itself
  /// before it is admitted; while the database fails it is answered 503, so that no record is lost (C8).
  struct Bounds {
    std::size_t accounts_max = 100'000;
    std::size_t calls_waiting_max = 200'000;
  };
  /// Makes or migrates the tables and the key secret. Throws sql::Failure, also where the state was written by a
  /// newer version.
  static std::unique_ptr<Accounts> open(const Parts& parts, std::string key_secret, const Bounds& bounds);
  static std::unique_ptr<Accounts> open(const Parts& parts, std::string key_secret) {
    return open(parts, std::move(key_secret), Bounds{});
  }
  /// On a store that leads to one home or another, as the caller has it, of which nothing is kept between two calls.
  /// Each was opened by `open_schema`.
  static std::unique_ptr<Accounts> over_homes(const Parts& parts, std::string key_secret);
  virtual ~Accounts() = default;

  /// The account whose key this is, by the key alone: what this deployment did not make names none (C3.1, C3.2).
  virtual std::optional<std::string> locate(std::string_view key) const = 0;
  /// Checks a presented key and counts the call, in one step (C1.3, C1.4).
  virtual Admission admit(std::string_view key) = 0;
  /// Keeps the record of an answered call for `flush`.
  virtual void record(CallRecord call) = 0;
  virtual FlushReport flush() = 0;
  /// Gives the records that wait, instead of writing them.
  virtual std::vector<CallRecord> take_calls() = 0;
  /// Writes numbered records; those that are there already change nothing. How many were written.
  virtual std::size_t write_now(const std::vector<CallRecord>& calls) = 0;
  /// True while there may be more to do.
  virtual bool retain_step() = 0;

  // The operator's. Unknown ids: not_found. Each is durable, and in force for the very next call, when it returns.
  virtual AccountInfo create_account(Plan plan) = 0;
  virtual std::vector<AccountInfo> list_accounts() = 0;
  virtual Result<AccountInfo> show_account(std::string_view account) = 0;
  virtual Result<AccountInfo> set_plan(std::string_view account, Plan plan) = 0;
  virtual Result<void> delete_account(std::string_view account) = 0;  // C9
  virtual Result<NewKey> create_key(std::string_view account) = 0;    // a sixth: invalid_request (C3.4)
  virtual Result<NewKey> create_session(std::string_view account, std::int64_t ttl_s) = 0;  // C3.5
  virtual Result<std::vector<KeyInfo>> list_keys(std::string_view account) = 0;
  virtual Result<void> revoke_key(std::string_view key_id) = 0;
  /// Latest first; unwritten ones included.
  virtual Result<std::vector<CallRecord>> calls(std::string_view account, std::uint32_t limit) = 0;
  /// Latest day first.
  virtual Result<std::vector<DayUsage>> usage(std::string_view account) = 0;
};

}  // namespace tonearm::state
