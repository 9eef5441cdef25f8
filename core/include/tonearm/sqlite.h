#pragma once
// SQLite: the driver of the port `sql::Store`, and a thin wrapper of SQLite's C interface. A connection and its
// statements must be used by one thread at a time. Functions that take a connection throw sql::Failure if SQLite fails.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "tonearm/sql.h"

struct sqlite3;
struct sqlite3_stmt;

namespace tonearm::sql {

enum class OpenMode : std::uint8_t { read_write_create, read_only, read_only_immutable };

struct CloseSqlite {
  void operator()(sqlite3* database) const;
};
using SqliteHandle = std::unique_ptr<sqlite3, CloseSqlite>;

/// Opens the database `name` of a VFS of SQLite (empty: the default VFS).
SqliteHandle open_sqlite(const std::string& name, OpenMode mode, const std::string& vfs = {});

/// Opens a read-only connection to a database in memory. The bytes are not copied and must outlive it. Reads nothing
/// yet.
SqliteHandle open_sqlite_image(std::string_view bytes);

/// Makes a store on one SQLite database (WAL if the VFS supports it, synchronous=FULL). It serializes calls.
std::unique_ptr<Store> make_sqlite_store(SqliteHandle database);

/// Throws SQLite's last error as OutOfSpace or another Failure. The message starts with `doing`.
[[noreturn]] void throw_sqlite_failure(sqlite3* database, std::string_view doing);

/// Runs statements that return no rows.
void execute(sqlite3* database, const std::string& script);

/// A prepared statement. Its connection must outlive it.
class Statement {
 public:
  /// REQUIRES: `text` is exactly one statement.
  Statement(sqlite3* database, std::string_view text);

  /// Parameters are numbered from 1. `find_parameter` returns the number of a named parameter, or 0 if there is none.
  /// Texts and blobs are not copied: they must live until `reset` or `run`.
  void bind_integer(int parameter, std::int64_t value);
  void bind_text(int parameter, std::string_view value);
  void bind_blob(int parameter, std::string_view value);
  void bind_null(int parameter);
  int parameter_count() const;
  int find_parameter(const std::string& name) const;

  /// Returns whether there is another row. Its texts and blobs are valid until the next `step` or `reset`.
  bool step();
  /// Resets the statement and clears its parameters.
  void reset() noexcept;
  /// Runs the statement to the end, ignoring rows, and resets it.
  void run();

  int column_count() const;
  std::string column_name(int column) const;
  bool is_null(int column) const;
  std::int64_t integer(int column) const;
  /// Return views into the row; see `step`.
  std::string_view text(int column) const;
  std::string_view blob(int column) const;

  sqlite3_stmt* handle() const { return statement_.get(); }

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };

  void check(int code) const;

  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

/// Resets a statement at the end of a scope.
class StatementUse {
 public:
  explicit StatementUse(Statement& statement) : statement_(statement) {}
  ~StatementUse() { statement_.reset(); }
  StatementUse(const StatementUse&) = delete;
  StatementUse& operator=(const StatementUse&) = delete;

 private:
  Statement& statement_;
};

}  // namespace tonearm::sql
