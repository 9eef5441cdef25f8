#pragma once
// Accounts, keys and counters as rows: one function a question, each within the caller's transaction, each about one
// account (but `accounts_page`). Throw sql::Failure.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "state/accounts.h"
#include "state/admission.h"
#include "tonearm/sql.h"

namespace tonearm::state {

/// The plan that a column names.
Plan plan_at(const sql::Row& row, std::size_t column);

/// What admission needs to know; empty: there is no such account.
std::optional<StoredAccount> read_stored_account(sql::Transaction& transaction, const std::string& account,
                                                 std::int64_t now_ms);
/// Absolute values: to write them again does no harm.
void write_counts(sql::Transaction& transaction, const std::string& account, const CallCounts& counts);

/// One key that is not revoked, and what a call with it needs to know.
struct KeyAndCounts {
  Plan plan = Plan::free;
  ActiveKey key;
  std::optional<CallCounts> counts;  // none: no call of the account was counted yet
};
/// By one statement. Empty where there is no such account, or it has no such key in force, time left aside.
std::optional<KeyAndCounts> read_key(sql::Transaction& transaction, const std::string& account, const Sha256& key_hash);
/// False, and nothing done, where the stored counts are no longer `read`.
bool replace_counts(sql::Transaction& transaction, const std::string& account, const CallCounts& read,
                    const CallCounts& counted);
/// False, and nothing done, where the account has counts already.
bool insert_counts(sql::Transaction& transaction, const std::string& account, const CallCounts& counts);

/// None are counted any more.
void delete_counts(sql::Transaction& transaction, const std::string& account);
/// Of an account that exists, as its windows are at `now_ms`.
AccountLimits read_limits(sql::Transaction& transaction, const std::string& account, std::int64_t now_ms);

/// False where the id is taken.
bool insert_account(sql::Transaction& transaction, const std::string& account, Plan plan, std::int64_t now_ms);
std::optional<AccountInfo> find_account(sql::Transaction& transaction, const std::string& account);
/// In the order of their making.
AccountsPage accounts_page(sql::Transaction& transaction, const AccountsWanted& wanted);
void update_plan(sql::Transaction& transaction, const std::string& account, Plan plan);

/// A key to be stored: its hash, never itself (KEY-4).
struct KeyRow {
  KeyInfo info;
  Sha256 hash{};
};
void insert_key(sql::Transaction& transaction, const std::string& account, const KeyRow& key);
/// In the order of their making, ended ones included.
std::vector<KeyInfo> keys_of(sql::Transaction& transaction, const std::string& account);
/// Those that are neither revoked nor expired at `now_ms`, in the order of their making.
std::vector<KeyRow> keys_in_force(sql::Transaction& transaction, const std::string& account, std::int64_t now_ms);
/// Whether the account is there and the key neither revoked nor expired at `now_ms`.
bool is_key_in_force(sql::Transaction& transaction, const std::string& account, const std::string& key_id,
                     std::int64_t now_ms);
/// The key where it is neither revoked nor expired at `now_ms`.
std::optional<KeyRow> find_key_in_force(sql::Transaction& transaction, const std::string& account,
                                        const std::string& key_id, std::int64_t now_ms);
/// False where the account has no such key. The time of a first revocation stays.
bool revoke_key_row(sql::Transaction& transaction, const std::string& account, const std::string& key_id,
                    std::int64_t now_ms);

}  // namespace tonearm::state
