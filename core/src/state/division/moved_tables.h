#pragma once
// What a move of an account copies, and how far it has come (account_move.h).

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "state/call_partitions.h"
#include "tonearm/sql.h"

namespace tonearm::state {

/// A table whose rows belong to accounts.
struct MovedTable {
  std::string name;
  std::string_view columns;  // all but the account, those of the key first
  std::size_t keys = 0;
  std::optional<Partition> partition{};
};

/// The tables of accounts, and that of the daily totals, which is copied last.
const std::array<MovedTable, 6>& account_tables();
const MovedTable& totals_table();

/// Returns the first `count` names of a list of columns, with a comma before each.
std::string first_names(std::string_view columns, std::size_t count);
/// Returns "?first, ?first+1, ...".
std::string placeholders(std::size_t first, std::size_t count);

/// How far a move has come.
struct Position {
  std::string table;      // or the name of a kind of partitions; empty: the target is not cleared yet
  std::int64_t day = -1;  // of a partition: a `day_number`
  sql::Row key;           // of the last row that was copied; empty: none was
};

/// As they are stored.
std::string write_position(const Position& position);
Position read_position(std::string_view text);

}  // namespace tonearm::state
