#pragma once
// A schema for each test, in the database that tonearm-with-postgresql started.

#include <memory>
#include <string>

#include "single_statement.h"
#include "tonearm/sql.h"

namespace tonearm::test {

/// The environment variable with the server's URL.
inline constexpr const char* kServerVariable = "TONEARM_TEST_POSTGRESQL";

/// Returns whether the variable is set.
bool has_own_server();
/// Returns the URL of a new, empty schema.
std::string fresh_schema();
/// Returns the URL of the schema `name` ([a-z0-9_]), which is created if it is missing.
std::string schema_named(const std::string& name);

std::int64_t number(sql::Store& store, const std::string& statement);

}  // namespace tonearm::test
