#pragma once
// The store of the tests of state: SQLite in tonearm-unit, PostgreSQL in tonearm-postgresql-tests.

#include <memory>
#include <string>

#include "tonearm/sql.h"

namespace tonearm::test {

/// Opens the state `name`, that of a StateFile, or a new one for ":memory:". It uses the caller's clock.
std::unique_ptr<sql::Store> open_state_store(const std::string& name);

/// Runs one statement in a transaction of its own.
inline sql::Rows query(sql::Store& store, const std::string& statement) {
  sql::Rows rows;
  store.transact([&](sql::Transaction& transaction) { rows = transaction.execute(statement); });
  return rows;
}

}  // namespace tonearm::test
