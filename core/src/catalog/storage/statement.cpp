#include "catalog/storage/statement.h"

#include <sqlite3.h>

#include <string>

#include "tonearm/snapshot_file.h"

namespace tonearm::catalog {
namespace {

std::uint64_t number_of(sqlite3* database, std::string_view pragma) {
  Statement select(database, pragma);
  return select.step() ? static_cast<std::uint64_t>(select.integer(0)) : 0;
}

}  // namespace

void throw_damaged(std::string_view what) { throw CatalogDamaged("the snapshot is damaged: " + std::string(what)); }

BoundedRows::BoundedRows(sqlite3* database)
    : bytes_left_(number_of(database, "PRAGMA page_count") * number_of(database, "PRAGMA page_size")) {}

bool BoundedRows::step(Statement& select) {
  if (!select.step()) return false;
  std::uint64_t bytes = 1;
  for (int column = 0; column < select.column_count(); ++column) {
    if (sqlite3_column_type(select.handle(), column) == SQLITE_TEXT) bytes += select.text(column).size();
  }
  if (bytes > bytes_left_) throw_damaged("its tables have more rows than its database has bytes for");
  bytes_left_ -= bytes;
  return true;
}

}  // namespace tonearm::catalog
