#include "shards/outbox.h"

#include "shards/account_replica.h"
#include "state/accounts/account_rows.h"
#include "state/columns.h"
#include "state/store_time.h"
#include "tonearm/shard_service.h"

namespace tonearm {

void shards::record_change(sql::Transaction& transaction, const std::string& account, const std::string& key_id,
                           std::int64_t epoch) {
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

/// Reads a row of the outbox with the columns account, number and base, and makes its replica.
AccountChange Directory::change_at(sql::Transaction& transaction, const sql::Row& row) {
  const std::string& account = state::text_at(row, 0);
  const shards::Replication from{state::integer_at(row, 2), epoch_, state::time_of(transaction, clock_)};
  return {account, state::integer_at(row, 1), shards::make_replica(transaction, account, from)};
}

std::optional<AccountChange> Directory::next_change(const std::string& after) {
  std::optional<AccountChange> change;
  store_.transact([&](sql::Transaction& transaction) {
    const sql::Rows rows = transaction.execute(
        "SELECT account, change_number, base_number FROM account_changes WHERE account > ?1 ORDER BY account LIMIT 1",
        {after});
    change.reset();
    if (!rows.empty()) change = change_at(transaction, rows[0]);
  });
  return change;
}

std::optional<AccountChange> Directory::change_of(const std::string& account) {
  std::optional<AccountChange> change;
  store_.transact([&](sql::Transaction& transaction) {
    const sql::Rows rows = transaction.execute(
        "SELECT account, change_number, base_number FROM account_changes WHERE account = ?1", {account});
    change.reset();
    if (!rows.empty()) change = change_at(transaction, rows[0]);
  });
  return change;
}

std::string Directory::whole_replica(const std::string& account) {
  std::string replica;
  store_.transact([&](sql::Transaction& transaction) {
    replica.clear();
    if (!state::find_account(transaction, account)) return;
    replica = shards::make_replica(transaction, account, {0, epoch_, state::time_of(transaction, clock_)});
  });
  return replica;
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
