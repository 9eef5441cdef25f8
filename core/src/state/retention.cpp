#include "state/account_removal.h"
#include "state/call_log.h"
#include "state/call_partitions.h"
#include "state/creations.h"
#include "state/store_time.h"

namespace tonearm::state {

namespace {

/// RECORD-4: steps so small that they block no write.
constexpr std::int64_t kRowsOfStep = 500;
/// A partition with more rows loses some first: where freed pages are overwritten, dropping takes as long as it is
/// large.
constexpr std::int64_t kRowsOfDrop = 4'000;

/// A partition goes when the last of its day is past the term.
bool retain_partition(sql::Transaction& transaction, PartitionKind kind, std::int64_t until_ms) {
  const std::optional<Partition> partition = oldest_ended_partition(transaction, kind, until_ms);
  if (!partition) return false;
  if (has_more_rows(transaction, *partition, kRowsOfDrop)) {
    remove_from_partition(transaction, *partition, kRowsOfStep);
  } else {
    drop_partition(transaction, *partition);
  }
  return true;
}

/// A session's row is kept as long as the records of its calls, which name it.
bool retain_sessions(sql::Transaction& transaction, std::int64_t until_ms) {
  return !transaction
              .execute(
                  "DELETE FROM api_keys WHERE (account, key_id) IN (SELECT account, key_id FROM api_keys"
                  " WHERE expires_ms IS NOT NULL AND expires_ms <= ?1 ORDER BY expires_ms LIMIT ?2)"
                  " RETURNING key_id",
                  {until_ms, kRowsOfStep})
              .empty();
}

/// After the last day of which there can be records.
constexpr std::int64_t kAfterAllDaysMs = 253'402'300'800'000;

}  // namespace

bool drop_oldest_records(sql::Store& store) {
  bool found = false;
  store.transact([&](sql::Transaction& transaction) {
    std::optional<Partition> oldest;
    for (const PartitionKind kind : {PartitionKind::search_texts, PartitionKind::records, PartitionKind::counts}) {
      const auto partition = oldest_ended_partition(transaction, kind, kAfterAllDaysMs);
      if (partition && (!oldest || partition->day < oldest->day)) oldest = partition;
    }
    found = oldest && retain_partition(transaction, oldest->kind, kAfterAllDaysMs);
  });
  return found;
}

bool retain_rows(sql::Store& store, Clock& clock) {
  bool found = false;
  store.transact_from_reserve([&](sql::Transaction& transaction) {
    const std::int64_t now_ms = time_of(transaction, clock);
    found = retain_partition(transaction, PartitionKind::search_texts, now_ms - kSearchTextMs) ||
            retain_partition(transaction, PartitionKind::records, now_ms - kRecordMs) ||
            retain_partition(transaction, PartitionKind::counts, now_ms - kRecordMs) ||
            remove_rows_of_account(transaction) || retain_sessions(transaction, now_ms - kRecordMs) ||
            forget_creations(transaction, now_ms - kCreationMs);
  });
  return found;
}

}  // namespace tonearm::state
