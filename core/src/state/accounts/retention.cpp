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

/// Removes from a partition, or ends it if it is small. Does nothing if another server has ended it.
void trim_partition(sql::Transaction& transaction, const Partition& partition) {
  if (!has_partition(transaction, partition.kind, partition.day)) return;
  if (has_more_rows(transaction, partition, kDropRowsMax)) {
    remove_from_partition(transaction, partition, kRowsPerStep);
  } else {
    end_partition(transaction, partition);
  }
}

using ChoosePartition = std::function<std::optional<Partition>(sql::Transaction&)>;

/// Drops a partition that an earlier step ended. If there is none, removes from the one that `choose` returns, and
/// drops it if that ended it. If there is none either, runs `remove`. Returns whether anything was found.
bool run_step(sql::Store& store, const ChoosePartition& choose, const std::function<bool(sql::Transaction&)>& remove) {
  bool found = false;
  std::optional<Partition> chosen;
  std::optional<Partition> ended;
  store.transact_from_reserve([&](sql::Transaction& transaction) {
    ended = ended_partition(transaction);
    chosen = ended ? std::nullopt : choose(transaction);
    found = ended || chosen || remove(transaction);
  });
  if (chosen) {
    const auto trim = [&](sql::Transaction& transaction) {
      trim_partition(transaction, *chosen);
      ended = ended_partition(transaction);
    };
    try {
      store.transact_from_reserve(trim);
    } catch (const sql::Failure&) {
      restore_table(store, *chosen);
      store.transact_from_reserve(trim);
    }
  }
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
  const auto choose = [](sql::Transaction& transaction) {
    std::optional<Partition> oldest;
    for (const PartitionKind kind : {PartitionKind::search_texts, PartitionKind::records, PartitionKind::aggregates}) {
      const auto partition = oldest_partition(transaction, kind, kEndOfTimeMs);
      if (partition && (!oldest || partition->day < oldest->day)) oldest = partition;
    }
    return oldest;
  };
  return run_step(store, choose, [](sql::Transaction& /*transaction*/) { return false; });
}

bool run_retention_step(sql::Store& store, Clock& clock) {
  std::int64_t now_ms = 0;
  const auto choose = [&](sql::Transaction& transaction) {
    now_ms = time_of(transaction, clock);
    auto oldest = oldest_partition(transaction, PartitionKind::search_texts, now_ms - kSearchTextMs);
    if (!oldest) oldest = oldest_partition(transaction, PartitionKind::records, now_ms - kRecordMs);
    if (!oldest) oldest = oldest_partition(transaction, PartitionKind::aggregates, now_ms - kRecordMs);
    return oldest;
  };
  return run_step(store, choose, [&](sql::Transaction& transaction) {
    return remove_deleted_rows(transaction) || remove_expired_session_keys(transaction, now_ms - kRecordMs) ||
           remove_old_requests(transaction, now_ms - kIdempotencyWindowMs);
  });
}

}  // namespace tonearm::state
