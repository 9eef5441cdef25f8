#include "shards/outbox.h"

#include "shards/account_replica.h"
#include "state/accounts/account_rows.h"
#include "state/columns.h"
#include "state/store_time.h"
#include "state/transact.h"
#include "tonearm/shard_service.h"

namespace tonearm {

void shards::record_change(sql::Transaction& transaction, const std::string& account, const std::string& key_id,
                           std::int64_t epoch) {
  if (version_of(transaction, account) == 0) return;
  const std::int64_t base = raise_version(transaction, account, epoch);
  // The shard has the base of the first unacknowledged change, so later changes keep it.
  transaction.execute(
      "INSERT INTO account_changes (account, change_number, base_number) VALUES (?1, 1, ?2)"
      " ON CONFLICT (account) DO UPDATE SET change_number = account_changes.change_number + 1",
      {account, base});
  if (key_id.empty()) return;
  transaction.execute(
      "INSERT INTO key_changes (account, key_id) VALUES (?1, ?2) ON CONFLICT (account, key_id) DO NOTHING",
      {account, key_id});
}

/// Reads the first row of the outbox that matches, and makes its replica.
std::optional<AccountChange> Directory::find_change(const std::string& condition, const std::string& parameter) {
  return state::transact(store_, [&](sql::Transaction& transaction) -> std::optional<AccountChange> {
    const sql::Rows rows =
        transaction.execute("SELECT account, change_number, base_number FROM account_changes" + condition, {parameter});
    if (rows.empty()) return std::nullopt;
    const std::string& account = state::text_at(rows[0], 0);
    const shards::Replication from{state::integer_at(rows[0], 2), epoch_, state::time_of(transaction, clock_)};
    return AccountChange{account, state::integer_at(rows[0], 1), shards::make_replica(transaction, account, from)};
  });
}

std::optional<AccountChange> Directory::next_change(const std::string& after) {
  return find_change(" WHERE account > ?1 ORDER BY account LIMIT 1", after);
}

std::optional<AccountChange> Directory::change_of(const std::string& account) {
  return find_change(" WHERE account = ?1", account);
}

void Directory::begin_epoch() {
  if (epoch_ == 0) return;
  store_.transact([&](sql::Transaction& transaction) {
    const std::string epoch = std::to_string(epoch_);
    const sql::Rows begun = transaction.execute("SELECT value FROM state_meta WHERE name = 'directory_epoch'");
    if (!begun.empty() && state::text_at(begun[0], 0) == epoch) return;
    shards::add_versions(transaction, epoch_);
    transaction.execute(
        "INSERT INTO state_meta (name, value) VALUES ('directory_epoch', ?1)"
        " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        {epoch});
  });
}

bool Directory::has_shard(const std::string& account) {
  return state::transact(store_,
                         [&](sql::Transaction& transaction) { return shards::version_of(transaction, account) != 0; });
}

void Directory::add_shard(const std::string& account) {
  store_.transact([&](sql::Transaction& transaction) {
    if (!state::find_account(transaction, account) || shards::version_of(transaction, account) != 0) return;
    shards::raise_version(transaction, account, epoch_);
    transaction.execute("INSERT INTO account_changes (account, change_number, base_number) VALUES (?1, 1, 0)",
                        {account});
  });
}

std::string Directory::whole_replica(const std::string& account) {
  return state::transact(store_, [&](sql::Transaction& transaction) {
    if (!state::find_account(transaction, account)) return std::string();
    if (shards::version_of(transaction, account) == 0) shards::raise_version(transaction, account, epoch_);
    return shards::make_replica(transaction, account, {0, epoch_, state::time_of(transaction, clock_)});
  });
}

void Directory::acknowledge(const AccountChange& change) {
  store_.transact([&](sql::Transaction& transaction) {
    const sql::Rows removed =
        transaction.execute("DELETE FROM account_changes WHERE account = ?1 AND change_number = ?2 RETURNING account",
                            {change.account, change.number});
    if (!removed.empty()) transaction.execute("DELETE FROM key_changes WHERE account = ?1", {change.account});
  });
}

}  // namespace tonearm
