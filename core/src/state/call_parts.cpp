#include "state/call_parts.h"

#include <array>
#include <chrono>
#include <string_view>

#include "state/columns.h"

namespace tonearm::state {

namespace {

struct KindRow {
  std::string_view name;
  std::string_view columns;  // behind the key's
};

/// Indexed by PartKind.
constexpr std::array<KindRow, 2> kKinds{{
    {"call_records",
     " key_id TEXT NOT NULL, method TEXT NOT NULL, route TEXT NOT NULL, status BIGINT NOT NULL,"
     " duration_ms BIGINT NOT NULL, result_count BIGINT, first_party BIGINT NOT NULL,"},
    {"search_texts", " search_text TEXT NOT NULL,"},
}};

const KindRow& row_of(PartKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }
sql::Value name_of(PartKind kind) { return std::string(row_of(kind).name); }

constexpr std::string_view kKey = "account, at_ms, record_number";

std::int64_t remove_some(sql::Transaction& transaction, const std::string& table, std::string_view which,
                         const sql::Row& parameters) {
  const std::string key(kKey);
  const std::string chosen = "SELECT " + key + " FROM " + table + std::string(which);
  const sql::Rows removed = transaction.execute(
      "DELETE FROM " + table + " WHERE (" + key + ") IN (" + chosen + ") RETURNING record_number", parameters);
  return static_cast<std::int64_t>(removed.size());
}

void copy_day(sql::Transaction& transaction, const Part& part, std::string_view columns, std::string_view which) {
  make_part(transaction, part);
  const std::string all = std::string(kKey) + ", " + std::string(columns);
  transaction.execute("INSERT INTO " + table_of(part) + " (" + all + ") SELECT " + all +
                          " FROM call_records WHERE at_ms >= ?1 AND at_ms < ?2" + std::string(which),
                      {part.day * kDayMs, (part.day + 1) * kDayMs});
}

}  // namespace

std::int64_t day_number(std::int64_t unix_ms) {
  return std::chrono::floor<std::chrono::days>(std::chrono::milliseconds(unix_ms)).count();
}

std::string table_of(const Part& part) {
  using std::chrono::days;
  const std::chrono::sys_days instant{days(static_cast<days::rep>(part.day))};
  const std::chrono::year_month_day date(instant);
  const int digits = static_cast<int>(date.year()) * 10'000 +
                     static_cast<int>(static_cast<unsigned>(date.month()) * 100 + static_cast<unsigned>(date.day()));
  return std::string(row_of(part.kind).name) + '_' + std::to_string(digits);
}

bool has_part(sql::Transaction& transaction, PartKind kind, std::int64_t day) {
  return !transaction.execute("SELECT 1 FROM call_parts WHERE kind = ?1 AND day_number = ?2", {name_of(kind), day})
              .empty();
}

void make_part(sql::Transaction& transaction, const Part& part) {
  if (has_part(transaction, part.kind, part.day)) return;
  std::string statement = "CREATE TABLE IF NOT EXISTS " + table_of(part);
  statement += " (account TEXT NOT NULL, at_ms BIGINT NOT NULL, record_number BIGINT NOT NULL,";
  statement += row_of(part.kind).columns;
  statement += " PRIMARY KEY (" + std::string(kKey) + "))";
  statement += transaction.in_order_of_key();
  transaction.execute(statement);
  transaction.execute(
      "INSERT INTO call_parts (kind, day_number) VALUES (?1, ?2) ON CONFLICT (kind, day_number) DO NOTHING",
      {name_of(part.kind), part.day});
}

void drop_part(sql::Transaction& transaction, const Part& part) {
  transaction.execute("DROP TABLE IF EXISTS " + table_of(part));
  transaction.execute("DELETE FROM call_parts WHERE kind = ?1 AND day_number = ?2", {name_of(part.kind), part.day});
}

std::optional<Part> oldest_ended_part(sql::Transaction& transaction, PartKind kind, std::int64_t until_ms) {
  const sql::Rows rows = transaction.execute(
      "SELECT day_number FROM call_parts WHERE kind = ?1 AND day_number < ?2 ORDER BY day_number LIMIT 1",
      {name_of(kind), day_number(until_ms + 1)});
  if (rows.empty()) return std::nullopt;
  return Part{kind, integer_at(rows[0], 0)};
}

bool has_more_rows(sql::Transaction& transaction, const Part& part, std::int64_t rows) {
  return !transaction.execute("SELECT 1 FROM " + table_of(part) + " LIMIT 1 OFFSET ?1", {rows}).empty();
}

std::int64_t remove_from_part(sql::Transaction& transaction, const Part& part, std::int64_t rows_max) {
  return remove_some(transaction, table_of(part), " ORDER BY account, at_ms, record_number LIMIT ?1", {rows_max});
}

std::int64_t remove_from_part(sql::Transaction& transaction, const Part& part, const std::string& account,
                              std::int64_t rows_max) {
  return remove_some(transaction, table_of(part), " WHERE account = ?1 ORDER BY at_ms, record_number LIMIT ?2",
                     {account, rows_max});
}

void divide_call_records(sql::Transaction& transaction) {
  const sql::Rows days = transaction.execute("SELECT DISTINCT at_ms / 86400000 FROM call_records");
  for (const sql::Row& row : days) {
    const std::int64_t day = integer_at(row, 0);
    copy_day(transaction, {PartKind::records, day},
             "key_id, method, route, status, duration_ms, result_count, first_party", "");
    copy_day(transaction, {PartKind::search_texts, day}, "search_text", " AND search_text IS NOT NULL");
  }
  transaction.execute("DROP TABLE call_records");
}

}  // namespace tonearm::state
