#pragma once
// A prepared statement of SQLite. Faults throw sql::Failure.

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "tonearm/sql.h"

namespace tonearm::bench {

/// Runs statements that give no rows.
void run_script(sqlite3* database, const std::string& script);

/// For one thread. Texts are bound without a copy: they outlive `run` or the last `step`.
class Statement {
 public:
  Statement(sqlite3* database, const std::string& text);

  void bind(int parameter, std::int64_t value);
  void bind(int parameter, std::string_view value);
  void bind_named(const std::string& parameter, std::string_view value);
  void bind_null(int parameter);

  /// Steps to the next row; false at the end, after which it can run again.
  bool step();
  void run() {
    while (step()) {
    }
  }
  /// Ends it before the last row.
  void reset() { sqlite3_reset(statement_.get()); }

  std::int64_t integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }
  /// Valid until the next step.
  std::string_view text(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  [[noreturn]] void fail() const;

  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

}  // namespace tonearm::bench
