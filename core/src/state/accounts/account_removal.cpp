#include "state/accounts/account_removal.h"

#include <algorithm>
#include <string_view>

#include "state/accounts/account_rows.h"
#include "state/call_partitions.h"
#include "state/columns.h"

namespace tonearm::state {

namespace {

// The work of a step: one unit for each removed row, and a fixed cost for each day, because of its statements.
constexpr std::int64_t kWorkPerStep = 500;
constexpr std::int64_t kWorkPerDay = 10;

/// Each statement removes at most ?2 rows of account ?1, and returns a row for each removed one.
constexpr std::string_view kRemovals[] = {
    // NOLINTNEXTLINE(bugprone-suspicious-missing-comma): a statement takes several lines
    "DELETE FROM api_keys WHERE account = ?1 AND key_id IN"
    " (SELECT key_id FROM api_keys WHERE account = ?1 ORDER BY key_id LIMIT ?2) RETURNING key_id",
    "DELETE FROM collection_items WHERE account = ?1 AND (collection_id, track_id) IN"
    " (SELECT collection_id, track_id FROM collection_items WHERE account = ?1"
    " ORDER BY collection_id, track_id LIMIT ?2) RETURNING track_id",
    "DELETE FROM license_checks WHERE account = ?1 AND collection_id IN"
    " (SELECT collection_id FROM license_checks WHERE account = ?1 ORDER BY collection_id LIMIT ?2)"
    " RETURNING collection_id",
    "DELETE FROM collection_tracks WHERE account = ?1 AND (collection_id, part) IN"
    " (SELECT collection_id, part FROM collection_tracks WHERE account = ?1 ORDER BY collection_id, part LIMIT ?2)"
    " RETURNING collection_id",
    "DELETE FROM collections WHERE account = ?1 AND collection_id IN"
    " (SELECT collection_id FROM collections WHERE account = ?1 ORDER BY collection_id LIMIT ?2)"
    " RETURNING collection_id",
    "DELETE FROM collection_creations WHERE account = ?1 AND (created_ms, collection_id) IN"
    " (SELECT created_ms, collection_id FROM collection_creations WHERE account = ?1"
    " ORDER BY created_ms, collection_id LIMIT ?2) RETURNING collection_id",
    "DELETE FROM creations WHERE account = ?1 AND key_sha256 IN"
    " (SELECT key_sha256 FROM creations WHERE account = ?1 LIMIT ?2) RETURNING key_sha256",
    "DELETE FROM collection_changes WHERE account = ?1 AND ?2 > 0 RETURNING account",
};

/// Removes at most `work_left` rows of a day. Returns whether the day is empty.
bool clear_day(sql::Transaction& transaction, const std::string& account, std::int64_t day_began_ms,
               std::int64_t& work_left) {
  const std::int64_t day = day_number(day_began_ms);
  for (const PartitionKind kind : {PartitionKind::search_texts, PartitionKind::aggregates, PartitionKind::records}) {
    if (!has_partition(transaction, kind, day)) continue;
    const std::int64_t rows_max = std::max<std::int64_t>(work_left, 1);
    const std::int64_t removed = remove_from_partition(transaction, {kind, day}, account, rows_max);
    work_left -= removed;
    if (removed == rows_max) return false;
  }
  // The daily totals list the days that have records, so they are removed last.
  transaction.execute("DELETE FROM daily_usage WHERE account = ?1 AND day_began_ms = ?2", {account, day_began_ms});
  return true;
}

}  // namespace

bool remove_some_rows(sql::Transaction& transaction, const std::string& account) {
  std::int64_t work_left = kWorkPerStep;
  for (const std::string_view removal : kRemovals) {
    work_left -= static_cast<std::int64_t>(transaction.execute(removal, {account, work_left}).size());
    if (work_left <= 0) return false;
  }
  const std::int64_t days_max = work_left / kWorkPerDay + 1;
  const sql::Rows days = transaction.execute(
      "SELECT day_began_ms FROM daily_usage WHERE account = ?1 ORDER BY day_began_ms LIMIT ?2", {account, days_max});
  for (const sql::Row& row : days) {
    work_left -= kWorkPerDay;
    if (!clear_day(transaction, account, integer_at(row, 0), work_left) || work_left <= 0) return false;
  }
  return static_cast<std::int64_t>(days.size()) < days_max;
}

void list_as_removed(sql::Transaction& transaction, const std::string& account) {
  if (presence_of(transaction, account) != Presence::absent) return;
  transaction.execute("INSERT INTO removed_accounts (account) VALUES (?1) ON CONFLICT (account) DO NOTHING", {account});
}

bool remove_account(sql::Transaction& transaction, const std::string& account) {
  const sql::Rows removed = transaction.execute("DELETE FROM accounts WHERE account = ?1 RETURNING account", {account});
  if (removed.empty()) return false;
  delete_counts(transaction, account);
  if (!remove_some_rows(transaction, account)) list_as_removed(transaction, account);
  return true;
}

bool remove_deleted_rows(sql::Transaction& transaction) {
  const sql::Rows next = transaction.execute("SELECT account FROM removed_accounts ORDER BY account LIMIT 1");
  if (next.empty()) return false;
  const std::string& account = text_at(next[0], 0);
  if (presence_of(transaction, account) != Presence::absent || remove_some_rows(transaction, account)) {
    transaction.execute("DELETE FROM removed_accounts WHERE account = ?1", {account});
  }
  return true;
}

}  // namespace tonearm::state
