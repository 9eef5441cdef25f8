#pragma once
// Call records are stored in partitions by UTC day: a table of single-call records, one of search texts and one of
// aggregated records (RECORD-8). Each is created when it is first written, and dropped as a whole when it is past its
// term (RECORD-4). The table `call_parts` lists them. Functions run in the caller's transaction and throw sql::Failure.

#include <cstdint>
#include <optional>
#include <string>

#include "tonearm/sql.h"

namespace tonearm::state {

inline constexpr std::int64_t kDayMs = 86'400'000;
// RECORD-3: search texts are kept for 90 days, the rest for 400.
inline constexpr std::int64_t kSearchTextMs = 90 * kDayMs;
inline constexpr std::int64_t kRecordMs = 400 * kDayMs;

enum class PartitionKind : std::uint8_t { records, search_texts, aggregates };

/// Returns the days from 1970 to an instant in Unix milliseconds.
std::int64_t day_number(std::int64_t unix_ms);

struct Partition {
  PartitionKind kind = PartitionKind::records;
  std::int64_t day = 0;  // a `day_number`
};

/// Returns the table's name, such as `call_records_20261121`.
std::string table_of(const Partition& partition);

bool has_partition(sql::Transaction& transaction, PartitionKind kind, std::int64_t day);
/// Creates the partition if it does not exist, even if another server creates it at the same time.
void make_partition(sql::Transaction& transaction, const Partition& partition);
void drop_partition(sql::Transaction& transaction, const Partition& partition);

/// Returns the oldest partition of which no row is later than `until_ms`, if any.
std::optional<Partition> oldest_ended_partition(sql::Transaction& transaction, PartitionKind kind,
                                                std::int64_t until_ms);

/// Returns whether a partition has more than `rows` rows.
bool has_more_rows(sql::Transaction& transaction, const Partition& partition, std::int64_t rows);
/// Removes at most `rows_max` rows, of all accounts or of one. Returns how many.
std::int64_t remove_from_partition(sql::Transaction& transaction, const Partition& partition, std::int64_t rows_max);
std::int64_t remove_from_partition(sql::Transaction& transaction, const Partition& partition,
                                   const std::string& account, std::int64_t rows_max);

/// A migration: moves the rows of the former single table into partitions, and drops the table.
void partition_call_records(sql::Transaction& transaction);

}  // namespace tonearm::state
