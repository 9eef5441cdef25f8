#pragma once
// The store that the tests of state run over: SQLite in tonearm-unit, PostgreSQL in tonearm-postgresql-tests.

#include <memory>
#include <string>

#include "tonearm/sql.h"

namespace tonearm::test {

/// The state `name`, a StateFile's; ":memory:": a fresh one. By the caller's clock.
std::unique_ptr<sql::Store> open_state_store(const std::string& name);

/// One statement in a transaction of its own.
inline sql::Rows query(sql::Store& store, const std::string& statement) {
  sql::Rows rows;
  store.transact([&](sql::Transaction& transaction) { rows = transaction.execute(statement); });
  return rows;
}

}  // namespace tonearm::test
