#include "catalog/storage/schema.h"

#include <algorithm>
#include <string>

#include "catalog/storage/statement.h"

namespace tonearm::catalog {
namespace {

/// FTS5 creates these shadow tables for `words`.
constexpr std::array<std::string_view, 3> kFts5ShadowTables{"words_config", "words_data", "words_idx"};

bool is_expected(std::string_view type, std::string_view name, std::string_view sql) {
  if (type != "table") return false;
  if (std::find(kFts5ShadowTables.begin(), kFts5ShadowTables.end(), name) != kFts5ShadowTables.end()) return true;
  return std::any_of(kSchema.begin(), kSchema.end(),
                     [&](const TableSchema& table) { return table.name == name && table.sql == sql; });
}

}  // namespace

void check_schema(sqlite3* database) {
  Statement select(database, "SELECT type, name, sql FROM sqlite_schema");
  BoundedRows rows(database);
  std::size_t found = 0;
  while (rows.step(select)) {
    if (!is_expected(select.text(0), select.text(1), select.text(2))) {
      throw_damaged("its database has unexpected tables");
    }
    ++found;
  }
  if (found != kSchema.size() + kFts5ShadowTables.size()) throw_damaged("its database lacks a table");
}

}  // namespace tonearm::catalog
