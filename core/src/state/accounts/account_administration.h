#pragma once
// What operators do with accounts, keys and limits. Implementations are safe for concurrent calls.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "domain/plan.h"
#include "tonearm/result.h"

namespace tonearm::state {

struct AccountInfo {
  std::string account;  // acc_...
  Plan plan = Plan::free;
  std::int64_t created_ms = 0;
  std::uint32_t active_keys = 0;
};

/// A position in the list of accounts, which is sorted by creation, oldest first.
struct AccountCursor {
  std::int64_t created_ms = 0;
  std::string account;
};

struct AccountsQuery {
  std::uint32_t limit = 1'000;
  std::optional<AccountCursor> after;  // none: start with the first
};

struct AccountsPage {
  std::vector<AccountInfo> accounts;
  std::uint64_t total = 0;             // of all accounts
  std::optional<AccountCursor> after;  // for the next page; none: this is the last
};

struct KeyInfo {
  std::string key_id;    // key_... or ses_...
  bool session = false;  // a session key (KEY-9)
  std::int64_t created_ms = 0;
  std::optional<std::int64_t> expires_ms;
  std::optional<std::int64_t> revoked_ms;

  friend bool operator==(const KeyInfo&, const KeyInfo&) = default;
};

struct NewKey {
  std::string key_id;
  std::string key;  // shown once, never stored
  std::optional<std::int64_t> expires_ms;
};

/// The counters of an account at a time of the store. Calls with session keys and of the plan `unlimited` are not
/// counted (LIMIT-8).
struct AccountLimits {
  std::string account;
  Plan plan = Plan::free;
  struct Counted {
    Window window = Window::minute;
    std::optional<std::uint32_t> quota;  // none: the plan has no limit for this window
    std::uint32_t calls = 0;
    std::int64_t began_ms = 0;
    std::int64_t resets_ms = 0;
  };
  std::array<Counted, 3> windows;
};

/// A move of an account to another database of a divided state (HOST-58).
struct AccountMove {
  std::string account;
  std::size_t database = 0;  // where the account will be, counted from 1
  bool is_done = false;
};

/// The error for an unknown account id.
Error account_not_found();

/// Each change is durable when the function returns, and applies to the very next call. Errors of each: not_found for
/// an unknown id. Each throws sql::Failure.
///
/// A repeated request with the same idempotency key creates nothing and returns the first result. If the key was used
/// for another request, or its result was deleted: invalid_request (ADMIN-9). An empty key means none.
class AccountAdministration {
 public:
  virtual ~AccountAdministration() = default;

  virtual Result<AccountInfo> create_account(Plan plan, std::string_view idempotency_key = {}) = 0;
  virtual AccountsPage list_accounts(const AccountsQuery& query) = 0;
  virtual Result<AccountInfo> show_account(std::string_view account) = 0;
  virtual Result<AccountInfo> set_plan(std::string_view account, Plan plan) = 0;
  virtual Result<void> delete_account(std::string_view account) = 0;  // RECORD-6

  /// Errors: invalid_request for a sixth active key (KEY-5).
  virtual Result<NewKey> create_key(std::string_view account, std::string_view idempotency_key = {}) = 0;
  /// KEY-9. Errors: invalid_request if `ttl_s` is out of range.
  virtual Result<NewKey> create_session_key(std::string_view account, std::int64_t ttl_s,
                                            std::string_view idempotency_key = {}) = 0;
  virtual Result<std::vector<KeyInfo>> list_keys(std::string_view account) = 0;
  virtual Result<void> revoke_key(std::string_view key_id) = 0;

  /// Includes what is counted in memory only (LIMIT-14).
  virtual Result<AccountLimits> limits(std::string_view account) = 0;
  /// Sets all windows of the account to zero calls.
  virtual Result<AccountLimits> reset_limits(std::string_view account) = 0;

  /// Runs one step of a move, which takes about a second; the caller repeats it until the move is done (HOST-58).
  /// `database`: counted from 1. Errors: invalid_request if there is no such database, or if the state is not divided.
  virtual Result<AccountMove> move_account(std::string_view account, std::size_t database) = 0;
};

}  // namespace tonearm::state
