#include "state/accounts/account_transfer.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "state/accounts/accounts_stored.h"
#include "state/columns.h"
#include "state/import_transaction.h"
#include "state/store_time.h"
#include "state/transact.h"

namespace tonearm::state {

namespace {

constexpr std::int64_t kKeysPerRead = 500;

ExportedKey key_at(const sql::Row& row) {
  return {{text_at(row, 0), integer_at(row, 2) != 0, integer_at(row, 3), maybe_integer_at(row, 4),
           maybe_integer_at(row, 5)},
          text_at(row, 1)};
}

constexpr std::string_view kSelectKeys =
    "SELECT key_id, key_sha256, is_session, created_ms, expires_ms, revoked_ms FROM api_keys WHERE account = ?1";

// ---- Error messages

[[noreturn]] void reject_removed_account(const std::string& account) {
  reject_import("The account " + account + " was deleted here, and its rows are still being removed: try later.");
}
[[noreturn]] void reject_different_account(const std::string& account) {
  reject_import("The state holds the account " + account +
                " otherwise than the file: with another plan or time of its making. Nothing was changed.");
}
[[noreturn]] void reject_different_key(const std::string& account, const std::string& key_id) {
  reject_import("The state holds the key " + key_id + " of the account " + account +
                " otherwise than the file: it is another one, or only one of them is revoked. Nothing was changed.");
}
[[noreturn]] void reject_duplicate_key(const std::string& account, const std::string& key_id) {
  reject_import("The key " + key_id + " of the account " + account + " is in the state under another id.");
}
[[noreturn]] void reject_too_many_keys(const std::string& account) {
  reject_import("The account " + account + " would have more than " + std::to_string(kActiveKeysMax) +
                " active keys: revoke those that were made here since.");
}

/// Returns whether the row of the account is new.
bool import_account(sql::Transaction& transaction, const AccountInfo& source) {
  const sql::Rows removed =
      transaction.execute("SELECT account FROM removed_accounts WHERE account = ?1", {source.account});
  if (!removed.empty()) reject_removed_account(source.account);
  const auto stored = find_account(transaction, source.account);
  if (!stored) {
    if (presence_of(transaction, source.account) == Presence::moving) throw account_is_moving();
    insert_account(transaction, source.account, source.plan, source.created_ms);
    return true;
  }
  if (stored->plan != source.plan || stored->created_ms != source.created_ms) reject_different_account(source.account);
  return false;
}

/// Returns the ids of the keys that are new.
std::vector<std::string> import_keys_of_account(sql::Transaction& transaction, const KeysToImport& source) {
  if (source.keys.empty()) return {};
  const std::string& account = source.account.account;
  std::vector<ExportedKey> stored;
  for (const sql::Row& row : transaction.execute(kSelectKeys, {account})) stored.push_back(key_at(row));
  std::vector<std::string> added;
  for (const ExportedKey& key : source.keys) {
    const auto same_id = std::find_if(stored.begin(), stored.end(),
                                      [&](const ExportedKey& it) { return it.info.key_id == key.info.key_id; });
    if (same_id != stored.end()) {
      if (*same_id == key) continue;
      reject_different_key(account, key.info.key_id);
    }
    const auto is_same_key = [&](const ExportedKey& it) { return it.key_sha256 == key.key_sha256; };
    if (std::any_of(stored.begin(), stored.end(), is_same_key)) reject_duplicate_key(account, key.info.key_id);
    transaction.execute(
        "INSERT INTO api_keys (account, key_id, key_sha256, is_session, created_ms, expires_ms, revoked_ms)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        {account, key.info.key_id, key.key_sha256, std::int64_t{key.info.session}, key.info.created_ms,
         nullable(key.info.expires_ms), nullable(key.info.revoked_ms)});
    stored.push_back(key);
    added.push_back(key.info.key_id);
  }
  if (find_account(transaction, account)->active_keys > kActiveKeysMax) reject_too_many_keys(account);
  return added;
}

}  // namespace

Result<ExportedKeys> StoredAccounts::export_keys(std::string_view account, const std::string& after) {
  if (!parse_account_id(account)) return account_not_found();
  const std::string id(account);
  return transact(dependencies_.store, [&](sql::Transaction& transaction) -> Result<ExportedKeys> {
    const auto info = find_account(transaction, id);
    if (!info) return account_not_found();
    ExportedKeys exported{*info, {}, {}};
    static const std::string kStatement =
        std::string(kSelectKeys) +
        " AND key_id > ?2 AND (expires_ms IS NULL OR expires_ms > ?3) ORDER BY key_id LIMIT ?4";
    const std::int64_t now_ms = time_of(transaction, dependencies_.clock);
    for (const sql::Row& row : transaction.execute(kStatement, {id, after, now_ms, kKeysPerRead + 1})) {
      exported.keys.push_back(key_at(row));
    }
    if (exported.keys.size() <= static_cast<std::size_t>(kKeysPerRead)) return exported;
    exported.keys.pop_back();
    exported.next = exported.keys.back().info.key_id;
    return exported;
  });
}

Result<std::size_t> StoredAccounts::import_keys(const KeysToImport& source, ImportMode mode) {
  const std::string& account = source.account.account;
  const std::optional<Locator> locator = parse_account_id(account);
  if (!locator) return account_not_found();
  const auto write = [&](sql::Transaction& transaction) {
    const bool is_new = import_account(transaction, source.account);
    if (is_new) notify_change(transaction, account);
    const auto keys = import_keys_of_account(transaction, source);
    for (const std::string& key_id : keys) notify_change(transaction, account, key_id);
    return keys.size() + (is_new ? 1U : 0U);
  };
  const std::lock_guard<std::mutex> lock(store_mutex_);
  const InvalidateOnExit invalidation(*this, *locator);
  return transact_import(dependencies_.store, account, mode, write);
}

KeySecretInfo StoredAccounts::key_secret() {
  const std::string stored = transact(dependencies_.store, read_key_secret);
  return {dependencies_.hashing.sha256(secret_), stored == secret_ ? stored : std::string()};
}

}  // namespace tonearm::state
