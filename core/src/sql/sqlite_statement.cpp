#include <sqlite3.h>

#include <cerrno>
#include <stdexcept>

#include "tonearm/sqlite.h"

namespace tonearm::sql {

namespace {

constexpr int kPrimaryCode = 0xff;  // of an extended error code

/// Returns whether the disk is full, the quota is used up, or the file has its maximum size.
bool is_out_of_space(sqlite3* database) {
  const int code = sqlite3_errcode(database) & kPrimaryCode;
  if (code == SQLITE_FULL) return true;
  const int cause = sqlite3_system_errno(database);
  return code == SQLITE_IOERR && (cause == ENOSPC || cause == EDQUOT || cause == EFBIG);
}

/// Returns a non-null pointer: a null pointer would bind NULL instead of an empty text or blob.
const char* data_of(std::string_view value) { return value.empty() ? "" : value.data(); }

}  // namespace

void CloseSqlite::operator()(sqlite3* database) const { sqlite3_close_v2(database); }

void throw_sqlite_failure(sqlite3* database, std::string_view doing) {
  std::string message = "SQLite: ";
  message += doing;
  message += ": ";
  if (database == nullptr) {
    message += "out of memory";
  } else if ((sqlite3_errcode(database) & kPrimaryCode) == SQLITE_INTERRUPT) {
    message += "interrupted: it exceeds its work limit";  // only a progress handler interrupts
  } else {
    message += sqlite3_errmsg(database);
  }
  if (database != nullptr && is_out_of_space(database)) throw OutOfSpace(message);
  throw Failure(message);
}

void execute(sqlite3* database, const std::string& script) {
  if (sqlite3_exec(database, script.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
    throw_sqlite_failure(database, script);
  }
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Statement::Statement(sqlite3* database, std::string_view text) {
  sqlite3_stmt* raw = nullptr;
  const char* rest = nullptr;
  const int status =
      sqlite3_prepare_v3(database, text.data(), static_cast<int>(text.size()), SQLITE_PREPARE_PERSISTENT, &raw, &rest);
  if (status != SQLITE_OK) throw_sqlite_failure(database, text);
  statement_.reset(raw);
  const std::string_view tail(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
  if (statement_ == nullptr || tail.find_first_not_of(" \n\t;") != std::string_view::npos) {
    throw std::logic_error("not exactly one SQL statement: " + std::string(text));
  }
}

void Statement::check(int code) const {
  if (code != SQLITE_OK) throw_sqlite_failure(sqlite3_db_handle(handle()), sqlite3_sql(handle()));
}

void Statement::bind_integer(int parameter, std::int64_t value) {
  check(sqlite3_bind_int64(handle(), parameter, value));
}

void Statement::bind_text(int parameter, std::string_view value) {
  check(sqlite3_bind_text64(handle(), parameter, data_of(value), value.size(), SQLITE_STATIC, SQLITE_UTF8));
}

void Statement::bind_blob(int parameter, std::string_view value) {
  check(sqlite3_bind_blob64(handle(), parameter, data_of(value), value.size(), SQLITE_STATIC));
}

void Statement::bind_null(int parameter) { check(sqlite3_bind_null(handle(), parameter)); }

int Statement::parameter_count() const { return sqlite3_bind_parameter_count(handle()); }

int Statement::find_parameter(const std::string& name) const {
  return sqlite3_bind_parameter_index(handle(), name.c_str());
}

bool Statement::step() {
  const int code = sqlite3_step(handle());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  throw_sqlite_failure(sqlite3_db_handle(handle()), sqlite3_sql(handle()));
}

void Statement::reset() noexcept {
  sqlite3_reset(handle());
  sqlite3_clear_bindings(handle());
}

void Statement::run() {
  const StatementUse use(*this);
  while (step()) continue;
}

int Statement::column_count() const { return sqlite3_column_count(handle()); }

std::string Statement::column_name(int column) const { return sqlite3_column_name(handle(), column); }

bool Statement::is_null(int column) const { return sqlite3_column_type(handle(), column) == SQLITE_NULL; }

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(handle(), column); }

std::string_view Statement::text(int column) const {
  const auto* data = sqlite3_column_text(handle(), column);
  if (data == nullptr) return {};
  return {reinterpret_cast<const char*>(data), static_cast<std::size_t>(sqlite3_column_bytes(handle(), column))};
}

std::string_view Statement::blob(int column) const {
  const void* data = sqlite3_column_blob(handle(), column);
  if (data == nullptr) return {};
  return {static_cast<const char*>(data), static_cast<std::size_t>(sqlite3_column_bytes(handle(), column))};
}

}  // namespace tonearm::sql
