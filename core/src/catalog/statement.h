#pragma once
// One prepared statement over SQLite's C interface. Faults become sql::Failure. Used by one thread at a time.

#include <cstdint>
#include <string>
#include <string_view>

#include "tonearm/sql.h"

struct sqlite3_stmt;

namespace tonearm::catalog {

[[noreturn]] void fail(sqlite3* database, std::string_view doing);
/// Throws sql::Failure: what a snapshot holds contradicts docs/snapshot-format.md.
[[noreturn]] void damaged(std::string_view what);

/// Runs statements that give no rows.
void execute(sqlite3* database, const char* sql);

class Statement {
 public:
  Statement(sqlite3* database, std::string_view sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  /// Parameters are numbered from 1. REQUIRES: text and bytes live until `reset`.
  void bind_integer(int parameter, std::int64_t value);
  void bind_text(int parameter, std::string_view value);
  void bind_blob(int parameter, std::string_view value);

  /// True: there is a row. Its texts and bytes live until the next `step` or `reset`.
  bool step();
  void reset() noexcept;
  /// Runs a statement without rows, and makes it ready for the next values.
  void run();

  bool is_null(int column) const;
  std::int64_t integer(int column) const;
  std::string_view text(int column) const;
  std::string_view blob(int column) const;
  sqlite3_stmt* handle() const { return statement_; }

 private:
  void check(int code);

  sqlite3* database_;
  sqlite3_stmt* statement_ = nullptr;
};

/// Resets a kept statement at the end of a use of it, however that use ends.
class Use {
 public:
  explicit Use(Statement& statement) : statement_(statement) {}
  ~Use() { statement_.reset(); }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;

 private:
  Statement& statement_;
};

}  // namespace tonearm::catalog
