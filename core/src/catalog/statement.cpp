#include "catalog/statement.h"

#include <sqlite3.h>

namespace tonearm::catalog {

void fail(sqlite3* database, std::string_view doing) {
  throw sql::Failure(std::string(doing) + ": " + sqlite3_errmsg(database));
}

void damaged(std::string_view what) { throw sql::Failure("the snapshot is damaged: " + std::string(what)); }

void execute(sqlite3* database, const char* sql) {
  if (sqlite3_exec(database, sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail(database, sql);
}

Statement::Statement(sqlite3* database, std::string_view sql) : database_(database) {
  const int size = static_cast<int>(sql.size());
  if (sqlite3_prepare_v3(database, sql.data(), size, SQLITE_PREPARE_PERSISTENT, &statement_, nullptr) != SQLITE_OK) {
    fail(database, "preparing a statement");
  }
}

Statement::~Statement() { sqlite3_finalize(statement_); }

void Statement::check(int code) {
  if (code != SQLITE_OK) fail(database_, "binding a value");
}

void Statement::bind_integer(int parameter, std::int64_t value) {
  check(sqlite3_bind_int64(statement_, parameter, value));
}

// A null pointer would bind NULL where an empty text is meant.
void Statement::bind_text(int parameter, std::string_view value) {
  const char* data = value.empty() ? "" : value.data();
  check(sqlite3_bind_text64(statement_, parameter, data, value.size(), nullptr, SQLITE_UTF8));
}

void Statement::bind_blob(int parameter, std::string_view value) {
  const char* data = value.empty() ? "" : value.data();
  check(sqlite3_bind_blob64(statement_, parameter, data, value.size(), nullptr));
}

bool Statement::step() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  fail(database_, "reading or writing the snapshot");
}

void Statement::reset() noexcept {
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

void Statement::run() {
  const Use use(*this);
  while (step()) {
  }
}

bool Statement::is_null(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_, column); }

std::string_view Statement::text(int column) const {
  const auto* data = sqlite3_column_text(statement_, column);
  if (data == nullptr) return {};
  return {reinterpret_cast<const char*>(data), static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

std::string_view Statement::blob(int column) const {
  const void* data = sqlite3_column_blob(statement_, column);
  if (data == nullptr) return {};
  return {static_cast<const char*>(data), static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

}  // namespace tonearm::catalog
