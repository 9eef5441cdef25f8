#pragma once
// Reads and writes the rows of accounts, keys and counters. Each function runs in the caller's transaction and is about
// one account, except `read_accounts_page`. They throw sql::Failure.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "state/accounts/account_administration.h"
#include "state/accounts/admission.h"
#include "tonearm/sql.h"

namespace tonearm::state {

/// The columns of `account_info`, from a table `a` with account, plan and time of creation. KEY-9: session keys are not
/// among the five.
inline constexpr std::string_view kAccountInfoColumns =
    "a.account, a.plan, a.created_ms, (SELECT COUNT(*) FROM api_keys k WHERE k.account = a.account"
    " AND k.is_session = 0 AND k.revoked_ms IS NULL)";
/// The columns of an account's counts.
inline constexpr std::string_view kCountColumns =
    "minute_began_ms, minute_calls, day_began_ms, day_calls, month_began_ms, month_calls";

/// Reads the first columns.
AccountInfo account_info(const sql::Row& row);
/// Returns the plan that a column names.
Plan plan_at(const sql::Row& row, std::size_t column);

/// Returns what admission needs; empty: the account does not exist.
std::optional<StoredAccount> read_stored_account(sql::Transaction& transaction, const std::string& account,
                                                 std::int64_t now_ms);
/// Writes absolute values, so writing them again is harmless.
void write_counts(sql::Transaction& transaction, const std::string& account, const CallCounts& counts);

/// One key that is not revoked, with the plan and counts of its account.
struct KeyAndCounts {
  Plan plan = Plan::free;
  ActiveKey key;
  std::optional<CallCounts> counts;  // none: no call of the account was counted yet
};
/// Runs one statement. Empty: the account does not exist, or it has no such key, or the key is revoked. The key may
/// have expired.
std::optional<KeyAndCounts> find_key_and_counts(sql::Transaction& transaction, const std::string& account,
                                                const Sha256& key_hash);
/// Replaces the counts if they are still `read`, and returns whether they were.
bool replace_counts(sql::Transaction& transaction, const std::string& account, const CallCounts& read,
                    const CallCounts& counted);
/// Inserts the account's counts, and returns false if it has some already.
bool insert_counts(sql::Transaction& transaction, const std::string& account, const CallCounts& counts);

void delete_counts(sql::Transaction& transaction, const std::string& account);
/// Returns the windows of the account at `now_ms`. REQUIRES: the account exists.
AccountLimits read_limits(sql::Transaction& transaction, const std::string& account, std::int64_t now_ms);

/// Whether the database has an account. `moving`: it is being moved from this database to another one (HOST-58).
enum class Presence : std::uint8_t { absent, present, moving };
Presence presence_of(sql::Transaction& transaction, const std::string& account);
/// The failure of a call about an account that is being moved.
sql::Failure account_is_moving();

/// Returns false if the id is taken.
bool insert_account(sql::Transaction& transaction, const std::string& account, Plan plan, std::int64_t now_ms);
std::optional<AccountInfo> find_account(sql::Transaction& transaction, const std::string& account);
/// Oldest first.
AccountsPage read_accounts_page(sql::Transaction& transaction, const AccountsQuery& query);
void update_plan(sql::Transaction& transaction, const std::string& account, Plan plan);

/// A key as it is stored: its hash, never the key itself (KEY-4).
struct KeyRow {
  KeyInfo info;
  Sha256 hash{};
};
void insert_key(sql::Transaction& transaction, const std::string& account, const KeyRow& key);
/// Returns all keys, oldest first, revoked and expired ones included.
std::vector<KeyInfo> read_keys_of_account(sql::Transaction& transaction, const std::string& account);

// A key is active at `now_ms` if it is neither revoked nor expired then.

/// Oldest first.
std::vector<KeyRow> read_active_keys(sql::Transaction& transaction, const std::string& account, std::int64_t now_ms);
/// Returns whether the account exists and the key is active.
bool is_key_active(sql::Transaction& transaction, const std::string& account, const std::string& key_id,
                   std::int64_t now_ms);
std::optional<KeyRow> find_active_key(sql::Transaction& transaction, const std::string& account,
                                      const std::string& key_id, std::int64_t now_ms);
/// Returns false if the account has no such key. Revoking a key again keeps the first time.
bool revoke_key_row(sql::Transaction& transaction, const std::string& account, const std::string& key_id,
                    std::int64_t now_ms);

}  // namespace tonearm::state
