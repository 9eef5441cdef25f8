#pragma once
// Call records are stored in partitions by UTC day: a table of single-call records, one of search texts and one of
// aggregated records (RECORD-8). Each is created when it is first written, and dropped as a whole when it is past its
// term (RECORD-4). The table `call_parts` lists them. Functions throw sql::Failure; those with a transaction run in it,
// so they execute no DDL (docs/adr/0163-ddl-statements-run-by-themselves.md).

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "tonearm/sql.h"

namespace tonearm::state {

inline constexpr std::int64_t kDayMs = 86'400'000;
// RECORD-3: search texts are kept for 90 days, the rest for 400.
inline constexpr std::int64_t kSearchTextMs = 90 * kDayMs;
inline constexpr std::int64_t kRecordMs = 400 * kDayMs;

enum class PartitionKind : std::uint8_t { records, search_texts, aggregates };

/// Later than any day. Not every database has larger integers than 2^53.
inline constexpr std::int64_t kDayEnd = (std::int64_t{1} << 53) / kDayMs;

/// Returns the days from 1970 to an instant in Unix milliseconds.
std::int64_t day_number(std::int64_t unix_ms);

struct Partition {
  PartitionKind kind = PartitionKind::records;
  std::int64_t day = 0;  // a `day_number`
};

inline constexpr std::array<PartitionKind, 3> kPartitionKinds{PartitionKind::records, PartitionKind::search_texts,
                                                              PartitionKind::aggregates};
/// Returns the first part of the names of their tables, such as `call_records`.
std::string_view name_of(PartitionKind kind);

/// Returns the table's name, such as `call_records_20261121`.
std::string table_of(const Partition& partition);

/// The columns of a partition after the account, those of its key first.
struct PartitionColumns {
  std::string_view names;
  std::size_t keys = 0;
};
PartitionColumns columns_of(PartitionKind kind);

bool has_partition(sql::Transaction& transaction, PartitionKind kind, std::int64_t day);
/// Fails the transaction if the partition does not exist, so that `transact_with_partitions` creates it.
void require_partition(sql::Transaction& transaction, const Partition& partition);
/// Runs `body` as Store::transact does. Creates the partitions that `body` requires and that do not exist, and runs it
/// again, even if another server creates them at the same time.
void transact_with_partitions(sql::Store& store, const std::function<void(sql::Transaction&)>& body);

/// Creates the table of a partition if it is listed and its table is missing: a writer may list a partition again while
/// another server drops its table (docs/adr/0163-ddl-statements-run-by-themselves.md).
void restore_table(sql::Store& store, const Partition& partition);

/// Removes a partition from the list of those that are read and written, and marks it for `drop_partition`.
void end_partition(sql::Transaction& transaction, const Partition& partition);
/// Returns a partition that was ended and not dropped.
std::optional<Partition> ended_partition(sql::Transaction& transaction);
/// Drops the table of an ended partition, and then removes its mark. May be repeated after a failure.
void drop_partition(sql::Store& store, const Partition& partition);

/// Returns the oldest partition of which no row is later than `until_ms`, if any.
std::optional<Partition> oldest_partition(sql::Transaction& transaction, PartitionKind kind, std::int64_t until_ms);

/// Returns the latest day before `before_day` that has a partition.
std::optional<std::int64_t> latest_partition_day(sql::Transaction& transaction, PartitionKind kind,
                                                 std::int64_t before_day);
/// Returns the first day whose partition of single-call records has the column `deferred_counts`, at least 0.
std::int64_t first_day_with_counts(sql::Transaction& transaction);

/// Returns whether a partition has more than `rows` rows.
bool has_more_rows(sql::Transaction& transaction, const Partition& partition, std::int64_t rows);
/// Removes at most `rows_max` rows, of all accounts or of one. Returns how many.
std::int64_t remove_from_partition(sql::Transaction& transaction, const Partition& partition, std::int64_t rows_max);
std::int64_t remove_from_partition(sql::Transaction& transaction, const Partition& partition,
                                   const std::string& account, std::int64_t rows_max);

/// A migration: moves the rows of the former single table into partitions, and drops the table.
void partition_call_records(sql::SchemaChange& change);
/// A migration: gives the latest partition of single-call records the column `deferred_counts`, which later ones have.
void add_deferred_counts(sql::SchemaChange& change);

}  // namespace tonearm::state
