#pragma once
// Call records are kept in partitions, one for each UTC day: a table of records, one of search texts and one of records
// that several calls share (RECORD-8), each made when it is first written and dropped whole when it is too old
// (RECORD-4). The table `call_parts` lists them. Functions of one transaction each; they throw sql::Failure.

#include <cstdint>
#include <optional>
#include <string>

#include "tonearm/sql.h"

namespace tonearm::state {

inline constexpr std::int64_t kDayMs = 86'400'000;
// RECORD-3: search text goes after 90 days, the rest after 400.
inline constexpr std::int64_t kSearchTextMs = 90 * kDayMs;
inline constexpr std::int64_t kRecordMs = 400 * kDayMs;

enum class PartitionKind : std::uint8_t { records, search_texts, counts };

/// Days since 1970 of an instant in Unix milliseconds.
std::int64_t day_number(std::int64_t unix_ms);

struct Partition {
  PartitionKind kind = PartitionKind::records;
  std::int64_t day = 0;  // as of `day_number`
};

/// `call_records_20261121`
std::string table_of(const Partition& partition);

bool has_partition(sql::Transaction& transaction, PartitionKind kind, std::int64_t day);
/// Does nothing where there is one, also when another server makes it at the same time.
void make_partition(sql::Transaction& transaction, const Partition& partition);
void drop_partition(sql::Transaction& transaction, const Partition& partition);

/// The oldest partition that has nothing but rows which are at least as old as `until_ms`, if any.
std::optional<Partition> oldest_ended_partition(sql::Transaction& transaction, PartitionKind kind,
                                                std::int64_t until_ms);

/// Whether a partition has more than `rows` rows.
bool has_more_rows(sql::Transaction& transaction, const Partition& partition, std::int64_t rows);
/// Removes at most `rows_max` rows, of any account or of one. Returns how many.
std::int64_t remove_from_partition(sql::Transaction& transaction, const Partition& partition, std::int64_t rows_max);
std::int64_t remove_from_partition(sql::Transaction& transaction, const Partition& partition,
                                   const std::string& account, std::int64_t rows_max);

/// Takes the rows of the one table that held the records of all days, and drops it.
void partition_call_records(sql::Transaction& transaction);

}  // namespace tonearm::state
