#pragma once
// SQL statements of the catalog: sql::Statement, and the exception for a snapshot that contradicts its format.

#include <cstdint>
#include <string_view>

#include "tonearm/sqlite.h"

namespace tonearm::catalog {

using sql::execute;
using sql::Statement;
using Use = sql::StatementUse;

/// Throws CatalogDamaged: the snapshot contradicts docs/snapshot-format.md.
[[noreturn]] void throw_damaged(std::string_view what);

/// Limits the rows that are read from a snapshot's tables. Database pages that point at each other can yield endless
/// rows, so more rows than the database has bytes for throw CatalogDamaged.
class BoundedRows {
 public:
  explicit BoundedRows(sqlite3* database);
  /// Like Statement::step. One statement must end before the next starts.
  bool step(Statement& select);

 private:
  std::uint64_t bytes_left_;
};

}  // namespace tonearm::catalog
