#include "state/accounts/retention.h"

#include <functional>
#include <optional>

#include "state/accounts/account_removal.h"
#include "state/accounts/idempotency.h"
#include "state/call_partitions.h"
#include "state/columns.h"
#include "state/store_time.h"

namespace tonearm::state {

namespace {

/// RECORD-4: steps are small, so that they delay no write.
constexpr std::int64_t kRowsPerStep = 500;
/// A larger partition loses rows first. If freed pages are overwritten, dropping a table takes time for each row.
constexpr std::int64_t kDropRowsMax = 4'000;

/// Removes from the oldest partition whose whole day is past the term, or ends it if it is small.
bool trim_partition(sql::Transaction& transaction, PartitionKind kind, std::int64_t until_ms) {
  const std::optional<Partition> partition = oldest_partition(transaction, kind, until_ms);
  if (!partition) return false;
  if (has_more_rows(transaction, *partition, kDropRowsMax)) {
    remove_from_partition(transaction, *partition, kRowsPerStep);
  } else {
    end_partition(transaction, *partition);
  }
  return true;
}

/// Drops a partition that an earlier step ended. If there is none, runs `remove`, which returns whether it found
/// something to remove, and drops what it ended.
bool run_step(sql::Store& store, const std::function<bool(sql::Transaction&)>& remove) {
  bool found = false;
  std::optional<Partition> ended;
  store.transact_from_reserve([&](sql::Transaction& transaction) {
    ended = ended_partition(transaction);
    found = ended || remove(transaction);
    if (found && !ended) ended = ended_partition(transaction);
  });
  if (ended) drop_partition(store, *ended);
  return found;
}

/// Session keys are kept as long as the records of their calls, which name them.
bool remove_expired_session_keys(sql::Transaction& transaction, std::int64_t until_ms) {
  return !transaction
              .execute(
                  "DELETE FROM api_keys WHERE (account, key_id) IN (SELECT account, key_id FROM api_keys"
                  " WHERE expires_ms IS NOT NULL AND expires_ms <= ?1 ORDER BY expires_ms LIMIT ?2)"
                  " RETURNING key_id",
                  {until_ms, kRowsPerStep})
              .empty();
}

/// Later than any record.
constexpr std::int64_t kEndOfTimeMs = 253'402'300'800'000;

}  // namespace

bool drop_oldest_records(sql::Store& store) {
  return run_step(store, [](sql::Transaction& transaction) {
    std::optional<Partition> oldest;
    for (const PartitionKind kind : {PartitionKind::search_texts, PartitionKind::records, PartitionKind::aggregates}) {
      const auto partition = oldest_partition(transaction, kind, kEndOfTimeMs);
      if (partition && (!oldest || partition->day < oldest->day)) oldest = partition;
    }
    return oldest && trim_partition(transaction, oldest->kind, kEndOfTimeMs);
  });
}

bool run_retention_step(sql::Store& store, Clock& clock) {
  return run_step(store, [&](sql::Transaction& transaction) {
    const std::int64_t now_ms = time_of(transaction, clock);
    return trim_partition(transaction, PartitionKind::search_texts, now_ms - kSearchTextMs) ||
           trim_partition(transaction, PartitionKind::records, now_ms - kRecordMs) ||
           trim_partition(transaction, PartitionKind::aggregates, now_ms - kRecordMs) ||
           remove_deleted_rows(transaction) || remove_expired_session_keys(transaction, now_ms - kRecordMs) ||
           remove_old_requests(transaction, now_ms - kIdempotencyWindowMs);
  });
}

}  // namespace tonearm::state
