#pragma once
// A schema for each test, in the database that tonearm-with-postgresql started.

#include <memory>
#include <string>

#include "tonearm/sql.h"

namespace tonearm::test {

/// The variable that names the server's URL.
inline constexpr const char* kServerVariable = "TONEARM_TEST_POSTGRESQL";

/// Whether there is one.
bool has_own_server();
/// The URL of a fresh, empty schema.
std::string fresh_schema();
/// The URL of the schema `name`, made where there is none. [a-z0-9_].
std::string schema_named(const std::string& name);

sql::Rows query(sql::Store& store, const std::string& statement);
std::int64_t number(sql::Store& store, const std::string& statement);

}  // namespace tonearm::test
