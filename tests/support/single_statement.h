#pragma once
// Runs single statements on a store.

#include <string_view>

#include "tonearm/sql.h"

namespace tonearm::test {

/// Runs one statement in a transaction of its own.
inline sql::Rows query(sql::Store& store, std::string_view statement) {
  sql::Rows rows;
  store.transact([&](sql::Transaction& transaction) { rows = transaction.execute(statement); });
  return rows;
}

/// Runs one DDL statement.
inline void define(sql::Store& store, std::string_view statement) {
  store.change_schema(sql::DiskSpace::ordinary, [&](sql::SchemaChange& change) { change.execute_ddl(statement); });
}

}  // namespace tonearm::test
