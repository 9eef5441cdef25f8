#pragma once
// SQLite: the driver of the port `sql::Store`, and what else works on SQLite's C interface directly. A connection and
// its statements are used by one thread at a time. Every function that takes one throws sql::Failure where SQLite
// fails.

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

/// Opens a database that SQLite's VFS (`vfs`, empty: the default one) knows as `name`.
SqliteHandle open_sqlite(const std::string& name, OpenMode mode, const std::string& vfs = {});

/// A read-only connection to a database whose bytes lie in memory, where they are read; they outlive it. Nothing of the
/// database is read yet.
SqliteHandle open_sqlite_image(std::string_view bytes);

/// State on one SQLite database (WAL where the VFS can, synchronous=FULL). Calls are serialized inside.
std::unique_ptr<Store> make_sqlite_store(SqliteHandle database);

/// Throws what SQLite says of its last error, after `doing`: OutOfSpace or another Failure.
[[noreturn]] void throw_sqlite_failure(sqlite3* database, std::string_view doing);

/// Runs statements that give no rows.
void execute(sqlite3* database, const std::string& script);

/// One prepared statement. Its connection outlives it.
class Statement {
 public:
  /// REQUIRES: `text` is exactly one statement.
  Statement(sqlite3* database, std::string_view text);

  /// Parameters are numbered from 1; `find_parameter` gives the number of one with a name, 0: there is none. Texts and
  /// bytes are not copied: they live until `reset` or `run`.
  void bind_integer(int parameter, std::int64_t value);
  void bind_text(int parameter, std::string_view value);
  void bind_blob(int parameter, std::string_view value);
  void bind_null(int parameter);
  int parameter_count() const;
  int find_parameter(const std::string& name) const;

  /// True: there is a row. Its texts and bytes live until the next `step` or `reset`.
  bool step();
  /// Ready for the next values.
  void reset() noexcept;
  /// Steps to the end, past any rows, and resets.
  void run();

  int column_count() const;
  std::string column_name(int column) const;
  bool is_null(int column) const;
  std::int64_t integer(int column) const;
  /// Both are views of the row, as `step` says.
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

/// Resets a statement at the end of a use of it, however that use ends.
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
