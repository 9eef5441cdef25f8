#include "statement.h"

namespace tonearm::bench {

void run_script(sqlite3* database, const std::string& script) {
  if (sqlite3_exec(database, script.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
    throw sql::Failure(std::string("SQLite: ") + sqlite3_errmsg(database) + " in " + script);
  }
}

Statement::Statement(sqlite3* database, const std::string& text) {
  sqlite3_stmt* statement = nullptr;
  const auto size = static_cast<int>(text.size());
  if (sqlite3_prepare_v3(database, text.data(), size, SQLITE_PREPARE_PERSISTENT, &statement, nullptr) != SQLITE_OK) {
    throw sql::Failure(std::string("SQLite: ") + sqlite3_errmsg(database) + " in " + text);
  }
  statement_.reset(statement);
}

void Statement::bind(int parameter, std::int64_t value) {
  if (sqlite3_bind_int64(statement_.get(), parameter, value) != SQLITE_OK) fail();
}

void Statement::bind(int parameter, std::string_view value) {
  if (sqlite3_bind_text64(statement_.get(), parameter, value.data(), value.size(), SQLITE_STATIC, SQLITE_UTF8) !=
      SQLITE_OK) {
    fail();
  }
}

void Statement::bind_named(const std::string& parameter, std::string_view value) {
  bind(sqlite3_bind_parameter_index(statement_.get(), parameter.c_str()), value);
}

void Statement::bind_null(int parameter) {
  if (sqlite3_bind_null(statement_.get(), parameter) != SQLITE_OK) fail();
}

bool Statement::step() {
  const int status = sqlite3_step(statement_.get());
  if (status == SQLITE_ROW) return true;
  if (sqlite3_reset(statement_.get()) != SQLITE_OK || status != SQLITE_DONE) fail();
  return false;
}

std::string_view Statement::text(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return bytes == nullptr ? std::string_view() : std::string_view(bytes, static_cast<std::size_t>(size));
}

void Statement::fail() const {
  sqlite3* database = sqlite3_db_handle(statement_.get());
  throw sql::Failure(std::string("SQLite: ") + sqlite3_errmsg(database) + " in " + sqlite3_sql(statement_.get()));
}

}  // namespace tonearm::bench
