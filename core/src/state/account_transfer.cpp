// Accounts and keys out of a state and into another (state_transfer.h).

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "state/accounts_stored.h"
#include "state/columns.h"
#include "state/import_transaction.h"
#include "state/store_time.h"

namespace tonearm::state {

namespace {

constexpr std::int64_t kKeysAtOnce = 500;

ExportedKey key_at(const sql::Row& row) {
  return {{text_at(row, 0), integer_at(row, 2) != 0, integer_at(row, 3), maybe_integer_at(row, 4),
           maybe_integer_at(row, 5)},
          text_at(row, 1)};
}

constexpr std::string_view kKeyColumns =
    "SELECT key_id, key_sha256, is_session, created_ms, expires_ms, revoked_ms FROM api_keys WHERE account = ?1";

bool is_same(const ExportedKey& one, const ExportedKey& other) {
  return one.key_sha256 == other.key_sha256 && one.info.session == other.info.session &&
         one.info.created_ms == other.info.created_ms && one.info.expires_ms == other.info.expires_ms &&
         one.info.revoked_ms == other.info.revoked_ms;
}

/// Whether the row of the account is new.
bool import_account(sql::Transaction& transaction, const AccountInfo& wanted) {
  const sql::Rows removed =
      transaction.execute("SELECT account FROM removed_accounts WHERE account = ?1", {wanted.account});
  if (!removed.empty()) {
    refuse_import("The account " + wanted.account +
                  " was deleted here, and its rows are still being removed: try later.");
  }
  const auto here = find_account(transaction, wanted.account);
  if (!here) {
    insert_account(transaction, wanted.account, wanted.plan, wanted.created_ms);
    return true;
  }
  if (here->plan != wanted.plan || here->created_ms != wanted.created_ms) {
    refuse_import("The state holds the account " + wanted.account +
                  " otherwise than the file: with another plan or time of its making. Nothing was changed.");
  }
  return false;
}

/// The ids of keys that are new.
std::vector<std::string> import_keys_of(sql::Transaction& transaction, const KeysToImport& wanted) {
  if (wanted.keys.empty()) return {};
  const std::string& account = wanted.account.account;
  std::vector<ExportedKey> here;
  for (const sql::Row& row : transaction.execute(kKeyColumns, {account})) here.push_back(key_at(row));
  std::vector<std::string> added;
  for (const ExportedKey& key : wanted.keys) {
    const auto same_id = std::find_if(here.begin(), here.end(),
                                      [&](const ExportedKey& it) { return it.info.key_id == key.info.key_id; });
    if (same_id != here.end()) {
      if (is_same(*same_id, key)) continue;
      refuse_import(
          "The state holds the key " + key.info.key_id + " of the account " + account +
          " otherwise than the file: it is another one, or only one of them is revoked. Nothing was changed.");
    }
    if (std::any_of(here.begin(), here.end(), [&](const ExportedKey& it) { return it.key_sha256 == key.key_sha256; })) {
      refuse_import("The key " + key.info.key_id + " of the account " + account + " is in the state under another id.");
    }
    transaction.execute(
        "INSERT INTO api_keys (account, key_id, key_sha256, is_session, created_ms, expires_ms, revoked_ms)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        {account, key.info.key_id, key.key_sha256, std::int64_t{key.info.session}, key.info.created_ms,
         nullable(key.info.expires_ms), nullable(key.info.revoked_ms)});
    here.push_back(key);
    added.push_back(key.info.key_id);
  }
  if (find_account(transaction, account)->active_keys > kActiveKeysMax) {
    refuse_import("The account " + account + " would have more than " + std::to_string(kActiveKeysMax) +
                  " active keys: revoke those that were made here since.");
  }
  return added;
}

}  // namespace

Result<ExportedKeys> StoredAccounts::export_keys(std::string_view account, const std::string& after) {
  if (!parse_account_id(account)) return no_such_account();
  const std::string id(account);
  std::optional<ExportedKeys> exported;
  dependencies_.store.transact([&](sql::Transaction& transaction) {
    exported.reset();
    const auto info = find_account(transaction, id);
    if (!info) return;
    exported = ExportedKeys{*info, {}, {}};
    static const std::string kStatement =
        std::string(kKeyColumns) +
        " AND key_id > ?2 AND (expires_ms IS NULL OR expires_ms > ?3) ORDER BY key_id LIMIT ?4";
    const std::int64_t now_ms = time_of(transaction, dependencies_.clock);
    for (const sql::Row& row : transaction.execute(kStatement, {id, after, now_ms, kKeysAtOnce + 1})) {
      exported->keys.push_back(key_at(row));
    }
    if (exported->keys.size() <= static_cast<std::size_t>(kKeysAtOnce)) return;
    exported->keys.pop_back();
    exported->next = exported->keys.back().info.key_id;
  });
  if (!exported) return no_such_account();
  return *std::move(exported);
}

Result<std::size_t> StoredAccounts::import_keys(const KeysToImport& wanted, ImportMode mode) {
  const std::string& account = wanted.account.account;
  const std::optional<Locator> locator = parse_account_id(account);
  if (!locator) return no_such_account();
  const auto write = [&](sql::Transaction& transaction) {
    const bool is_new = import_account(transaction, wanted.account);
    if (is_new) note(transaction, account);
    const auto keys = import_keys_of(transaction, wanted);
    for (const std::string& key_id : keys) note(transaction, account, key_id);
    return keys.size() + (is_new ? 1U : 0U);
  };
  const std::lock_guard<std::mutex> lock(store_mutex_);
  try {
    auto outcome = transact_import(dependencies_.store, mode, write);
    changed(*locator);
    return outcome;
  } catch (const sql::Failure&) {
    changed(*locator);  // it may have been written
    throw;
  }
}

KeySecretInfo StoredAccounts::key_secret() {
  KeySecretInfo info;
  info.sha256 = dependencies_.hashing.sha256(secret_);
  dependencies_.store.transact([&](sql::Transaction& transaction) {
    info.made_in_state.clear();
    if (read_key_secret(transaction) == secret_) info.made_in_state = secret_;
  });
  return info;
}

}  // namespace tonearm::state
