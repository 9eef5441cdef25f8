#pragma once
// The store that the tests of state run over: SQLite in tonearm-unit, PostgreSQL in tonearm-postgresql-tests.

#include <memory>
#include <string>

#include "tonearm/sql.h"

namespace tonearm::test {

/// The state `name`, a StateFile's; ":memory:": a fresh one. By the caller's clock.
std::unique_ptr<sql::Store> open_state_store(const std::string& name);

}  // namespace tonearm::test
