#pragma once
// Call records are kept in parts, one for each UTC day: a table of records and one of search texts, made when their day
// is first written and dropped whole when it is too old (C8). Which there are stands in `call_parts`. Functions of one
// transaction each; they throw sql::Failure.

#include <cstdint>
#include <optional>
#include <string>

#include "tonearm/sql.h"

namespace tonearm::state {

inline constexpr std::int64_t kDayMs = 86'400'000;
// catalog-api, Limits: search text is removed after 90 days, other call records after 400 days.
inline constexpr std::int64_t kSearchTextMs = 90 * kDayMs;
inline constexpr std::int64_t kRecordMs = 400 * kDayMs;

enum class PartKind : std::uint8_t { records, search_texts };

/// Days since 1970 of an instant in Unix milliseconds.
std::int64_t day_number(std::int64_t unix_ms);

struct Part {
  PartKind kind = PartKind::records;
  std::int64_t day = 0;  // as of `day_number`
};

/// `call_records_20261121`
std::string table_of(const Part& part);

bool has_part(sql::Transaction& transaction, PartKind kind, std::int64_t day);
/// Does nothing where there is one, also when another server makes it at the same time.
void make_part(sql::Transaction& transaction, const Part& part);
void drop_part(sql::Transaction& transaction, const Part& part);

/// The oldest part that has nothing but rows which are at least as old as `until_ms`, if any.
std::optional<Part> oldest_ended_part(sql::Transaction& transaction, PartKind kind, std::int64_t until_ms);

/// Whether a part has more than `rows` rows.
bool has_more_rows(sql::Transaction& transaction, const Part& part, std::int64_t rows);
/// Removes at most `rows_max` rows, of any account or of one. Returns how many.
std::int64_t remove_from_part(sql::Transaction& transaction, const Part& part, std::int64_t rows_max);
std::int64_t remove_from_part(sql::Transaction& transaction, const Part& part, const std::string& account,
                              std::int64_t rows_max);

/// Takes the rows of the one table that held the records of all days, and drops it.
void divide_call_records(sql::Transaction& transaction);

}  // namespace tonearm::state
