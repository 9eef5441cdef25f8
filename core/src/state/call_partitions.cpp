#include "state/call_partitions.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>

#include "state/columns.h"
#include "state/state_meta.h"

namespace tonearm::state {

namespace {

constexpr std::string_view kKey = "account, at_ms, record_number";

struct KindRow {
  std::string_view name;
  std::string_view columns;  // those after account and time
  std::string_view key;
  std::string_view added;  // columns that a later migration has added
};

/// Indexed by PartitionKind.
constexpr std::array<KindRow, 3> kKinds{{
    {"call_records",
     " record_number BIGINT NOT NULL, key_id TEXT NOT NULL, method TEXT NOT NULL, route TEXT NOT NULL,"
     " status BIGINT NOT NULL, duration_ms BIGINT NOT NULL, result_count BIGINT, first_party BIGINT NOT NULL,",
     kKey, " deferred_counts TEXT,"},
    {"search_texts", " record_number BIGINT NOT NULL, search_text TEXT NOT NULL,", kKey, ""},
    {"call_counts",
     " period_s BIGINT NOT NULL, key_id TEXT NOT NULL, route TEXT NOT NULL, status BIGINT NOT NULL,"
     " source BIGINT NOT NULL, method TEXT NOT NULL, duration_ms BIGINT NOT NULL, first_party BIGINT NOT NULL,"
     " calls BIGINT NOT NULL, first_number BIGINT NOT NULL, last_number BIGINT NOT NULL,",
     "account, at_ms, period_s, key_id, route, status, source", ""},
}};

constexpr std::string_view kEnded = "ended ";
/// In `state_meta`. None: all partitions have the column.
constexpr auto kFirstDayWithCounts = "first_day_with_deferred_counts";
/// More partitions than one transaction can lack.
constexpr int kMissingMax = 10'000;

/// Ends a transaction that requires it (require_partition).
struct MissingPartition {
  Partition partition;
};

const KindRow& row_of(PartitionKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }
sql::Value kind_value(PartitionKind kind) { return std::string(row_of(kind).name); }
/// Returns the kind of an ended partition in `call_parts`.
sql::Value ended_kind_value(PartitionKind kind) { return std::string(kEnded) + std::string(row_of(kind).name); }

/// `added`: the columns that later migrations added (KindRow).
void create_partition(sql::SchemaChange& change, const Partition& partition, std::string_view added) {
  std::string statement = "CREATE TABLE IF NOT EXISTS " + table_of(partition);
  statement += " (account TEXT NOT NULL, at_ms BIGINT NOT NULL,";
  statement += row_of(partition.kind).columns;
  statement += added;
  statement += " PRIMARY KEY (" + std::string(row_of(partition.kind).key) + "))";
  statement += change.create_table_suffix();
  change.execute_ddl(statement);
  change.transact([&](sql::Transaction& transaction) {
    transaction.execute(
        "INSERT INTO call_parts (kind, day_number) VALUES (?1, ?2) ON CONFLICT (kind, day_number) DO NOTHING",
        {kind_value(partition.kind), partition.day});
  });
}

void create_partition(sql::SchemaChange& change, const Partition& partition) {
  create_partition(change, partition, row_of(partition.kind).added);
}

/// Removes the first rows in the order of the key. Returns how many.
std::int64_t remove_first_rows(sql::Transaction& transaction, const Partition& partition, const std::string& condition,
                               const std::string& limit, const sql::Row& parameters) {
  const std::string table = table_of(partition);
  const std::string key(row_of(partition.kind).key);
  const std::string chosen = "SELECT " + key + " FROM " + table + condition + " ORDER BY " + key + " LIMIT " + limit;
  const sql::Rows removed = transaction.execute(
      "DELETE FROM " + table + " WHERE (" + key + ") IN (" + chosen + ") RETURNING at_ms", parameters);
  return static_cast<std::int64_t>(removed.size());
}

void copy_day(sql::SchemaChange& change, const Partition& partition, std::string_view columns,
              std::string_view condition) {
  create_partition(change, partition, "");
  const std::string all = std::string(kKey) + ", " + std::string(columns);
  change.transact([&](sql::Transaction& transaction) {
    transaction.execute("INSERT INTO " + table_of(partition) + " (" + all + ") SELECT " + all +
                            " FROM call_records WHERE at_ms >= ?1 AND at_ms < ?2" + std::string(condition) +
                            " ON CONFLICT (" + std::string(kKey) + ") DO NOTHING",
                        {partition.day * kDayMs, (partition.day + 1) * kDayMs});
  });
}

}  // namespace

std::string_view name_of(PartitionKind kind) { return row_of(kind).name; }

std::int64_t day_number(std::int64_t unix_ms) {
  return std::chrono::floor<std::chrono::days>(std::chrono::milliseconds(unix_ms)).count();
}

std::string table_of(const Partition& partition) {
  using std::chrono::days;
  const std::chrono::sys_days instant{days(static_cast<days::rep>(partition.day))};
  const std::chrono::year_month_day date(instant);
  const int digits = static_cast<int>(date.year()) * 10'000 +
                     static_cast<int>(static_cast<unsigned>(date.month()) * 100 + static_cast<unsigned>(date.day()));
  return std::string(name_of(partition.kind)) + '_' + std::to_string(digits);
}

PartitionColumns columns_of(PartitionKind kind) {
  switch (kind) {
    case PartitionKind::records:
      return {"at_ms, record_number, key_id, method, route, status, duration_ms, result_count, first_party", 2};
    case PartitionKind::search_texts:
      return {"at_ms, record_number, search_text", 2};
    case PartitionKind::aggregates:
      break;
  }
  return {
      "at_ms, period_s, key_id, route, status, source, method, duration_ms, first_party, calls, first_number,"
      " last_number",
      6};
}

bool has_partition(sql::Transaction& transaction, PartitionKind kind, std::int64_t day) {
  return !transaction.execute("SELECT 1 FROM call_parts WHERE kind = ?1 AND day_number = ?2", {kind_value(kind), day})
              .empty();
}

void require_partition(sql::Transaction& transaction, const Partition& partition) {
  if (!has_partition(transaction, partition.kind, partition.day)) throw MissingPartition{partition};
}

void transact_with_partitions(sql::Store& store, const std::function<void(sql::Transaction&)>& body) {
  for (int left = kMissingMax; left > 0; --left) {
    Partition partition;
    try {
      store.transact(body);
      return;
    } catch (const MissingPartition& missing) {
      partition = missing.partition;
    }
    store.change_schema(sql::DiskSpace::ordinary,
                        [&](sql::SchemaChange& change) { create_partition(change, partition); });
  }
  throw sql::Failure("the state is damaged: the partitions that were created are not listed");
}

void restore_table(sql::Store& store, const Partition& partition) {
  store.change_schema(sql::DiskSpace::reserve, [&](sql::SchemaChange& change) {
    bool is_listed = false;
    change.transact(
        [&](sql::Transaction& transaction) { is_listed = has_partition(transaction, partition.kind, partition.day); });
    if (is_listed) create_partition(change, partition);
  });
}

void end_partition(sql::Transaction& transaction, const Partition& partition) {
  transaction.execute("UPDATE call_parts SET kind = ?3 WHERE kind = ?1 AND day_number = ?2",
                      {kind_value(partition.kind), partition.day, ended_kind_value(partition.kind)});
}

std::optional<Partition> ended_partition(sql::Transaction& transaction) {
  const sql::Rows rows =
      transaction.execute("SELECT kind, day_number FROM call_parts WHERE kind IN (?1, ?2, ?3) LIMIT 1",
                          {ended_kind_value(PartitionKind::records), ended_kind_value(PartitionKind::search_texts),
                           ended_kind_value(PartitionKind::aggregates)});
  if (rows.empty()) return std::nullopt;
  Partition partition{PartitionKind::records, integer_at(rows[0], 1)};
  while (rows[0][0] != ended_kind_value(partition.kind)) {
    partition.kind = static_cast<PartitionKind>(static_cast<int>(partition.kind) + 1);
  }
  return partition;
}

void drop_partition(sql::Store& store, const Partition& partition) {
  const auto remove_mark = [&](sql::Transaction& transaction) {
    transaction.execute("DELETE FROM call_parts WHERE kind = ?1 AND day_number = ?2",
                        {ended_kind_value(partition.kind), partition.day});
  };
  store.change_schema(sql::DiskSpace::reserve, [&](sql::SchemaChange& change) {
    // A writer may have listed it again: the row of a call may be later than its term, or the clock was set back.
    bool is_listed = false;
    change.transact([&](sql::Transaction& transaction) {
      is_listed = has_partition(transaction, partition.kind, partition.day);
      if (is_listed) remove_mark(transaction);
    });
    if (is_listed) return;
    change.execute_ddl("DROP TABLE IF EXISTS " + table_of(partition));
    change.transact(remove_mark);
  });
}

std::optional<Partition> oldest_partition(sql::Transaction& transaction, PartitionKind kind, std::int64_t until_ms) {
  const sql::Rows rows = transaction.execute(
      "SELECT day_number FROM call_parts WHERE kind = ?1 AND day_number < ?2 ORDER BY day_number LIMIT 1",
      {kind_value(kind), day_number(until_ms + 1)});
  if (rows.empty()) return std::nullopt;
  return Partition{kind, integer_at(rows[0], 0)};
}

std::int64_t first_day_with_counts(sql::Transaction& transaction) {
  return read_meta_number(transaction, kFirstDayWithCounts);
}

std::optional<std::int64_t> latest_partition_day(sql::Transaction& transaction, PartitionKind kind,
                                                 std::int64_t before_day) {
  const sql::Rows rows = transaction.execute(
      "SELECT day_number FROM call_parts WHERE kind = ?1 AND day_number < ?2 ORDER BY day_number DESC LIMIT 1",
      {kind_value(kind), before_day});
  if (rows.empty()) return std::nullopt;
  return integer_at(rows[0], 0);
}

bool has_more_rows(sql::Transaction& transaction, const Partition& partition, std::int64_t rows) {
  return !transaction.execute("SELECT 1 FROM " + table_of(partition) + " LIMIT 1 OFFSET ?1", {rows}).empty();
}

std::int64_t remove_from_partition(sql::Transaction& transaction, const Partition& partition, std::int64_t rows_max) {
  return remove_first_rows(transaction, partition, "", "?1", {rows_max});
}

std::int64_t remove_from_partition(sql::Transaction& transaction, const Partition& partition,
                                   const std::string& account, std::int64_t rows_max) {
  return remove_first_rows(transaction, partition, " WHERE account = ?1", "?2", {account, rows_max});
}

void partition_call_records(sql::SchemaChange& change) {
  // A migration that was interrupted after its last statement is repeated.
  change.execute_ddl(
      "CREATE TABLE IF NOT EXISTS call_records (account TEXT NOT NULL, at_ms BIGINT NOT NULL,"
      " record_number BIGINT NOT NULL, key_id TEXT NOT NULL, method TEXT NOT NULL, route TEXT NOT NULL,"
      " status BIGINT NOT NULL, duration_ms BIGINT NOT NULL, result_count BIGINT, search_text TEXT,"
      " first_party BIGINT NOT NULL, PRIMARY KEY (account, at_ms, record_number))");
  sql::Rows days;
  change.transact([&](sql::Transaction& transaction) {
    // Not divided by SQL: the quotient of two integers is no integer in every database.
    days = transaction.execute("SELECT DISTINCT at_ms - at_ms % 86400000 FROM call_records");
  });
  for (const sql::Row& row : days) {
    const std::int64_t day = day_number(integer_at(row, 0));
    copy_day(change, {PartitionKind::records, day},
             "key_id, method, route, status, duration_ms, result_count, first_party", "");
    copy_day(change, {PartitionKind::search_texts, day}, "search_text", " AND search_text IS NOT NULL");
  }
  change.execute_ddl("DROP TABLE IF EXISTS call_records");
}

void add_deferred_counts(sql::SchemaChange& change) {
  std::optional<std::int64_t> latest;
  bool is_listed = false;
  change.transact([&](sql::Transaction& transaction) {
    // The table of an ended partition may exist, and be listed again (drop_partition).
    const sql::Rows rows =
        transaction.execute("SELECT day_number FROM call_parts WHERE kind IN (?1, ?2) ORDER BY day_number DESC LIMIT 1",
                            {kind_value(PartitionKind::records), ended_kind_value(PartitionKind::records)});
    latest = rows.empty() ? std::nullopt : std::optional(integer_at(rows[0], 0));
    is_listed = latest && has_partition(transaction, PartitionKind::records, *latest);
  });
  if (!latest) return;
  if (is_listed) {
    const Partition partition{PartitionKind::records, *latest};
    create_partition(change, partition, "");  // if it is listed without a table (restore_table)
    change.execute_ddl("ALTER TABLE " + table_of(partition) + " ADD COLUMN deferred_counts TEXT");
  }
  const std::int64_t first_day = std::max<std::int64_t>(is_listed ? *latest : *latest + 1, 0);
  change.transact([&](sql::Transaction& transaction) {
    if (read_meta(transaction, kFirstDayWithCounts)) return;  // another server was first
    write_meta(transaction, kFirstDayWithCounts, std::to_string(first_day));
  });
}

}  // namespace tonearm::state
