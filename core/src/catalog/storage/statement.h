#pragma once
// SQL statements as the catalog uses them: sql::Statement, and the failure of a snapshot that contradicts its format.

#include <cstdint>
#include <string_view>

#include "tonearm/sqlite.h"

namespace tonearm::catalog {

using sql::execute;
using sql::Statement;
using Use = sql::StatementUse;

/// Throws CatalogDamaged: the snapshot contradicts docs/snapshot-format.md.
[[noreturn]] void damaged(std::string_view what);

/// Rows of a snapshot's tables. Pages of a database that point at each other can give rows without end: here they end
/// as soon as they are more than the database has bytes for.
class TableRows {
 public:
  explicit TableRows(sqlite3* database);
  /// As Statement::step, for one statement after the other.
  bool step(Statement& select);

 private:
  std::uint64_t bytes_left_;
};

}  // namespace tonearm::catalog
