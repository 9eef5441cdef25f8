#pragma once
// The store of the tests of state: SQLite in tonearm-unit, PostgreSQL in tonearm-postgresql-tests.

#include <memory>
#include <string>

#include "single_statement.h"
#include "tonearm/sql.h"

namespace tonearm::test {

/// Opens the state `name`, that of a StateFile, or a new one for ":memory:". It uses the caller's clock.
std::unique_ptr<sql::Store> open_state_store(const std::string& name);

}  // namespace tonearm::test
