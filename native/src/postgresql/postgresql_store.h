#pragma once
// The sql port on PostgreSQL, where several servers share accounts.
//
// `transact` is SERIALIZABLE and retries its body after a conflict or a lost connection for a few seconds; then it
// throws sql::Failure. After a COMMIT whose reply was lost, it first looks up the outcome
// (docs/adr/0020-a-lost-commit-is-looked-up.md).
//
// `change_schema` executes each DDL statement outside of a transaction; DDL in a transaction is a std::logic_error
// (docs/adr/0163-ddl-statements-run-by-themselves.md).

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "tonearm/sql.h"

namespace tonearm::native {

/// Returns whether `--state` names a database server instead of a file: postgresql://... or postgres://...
bool is_postgresql_url(std::string_view state);

struct PostgresqlOptions {
  /// In libpq's syntax. A secret: no error and no log line contains it.
  std::string url;
  std::size_t connections_max = 8;
  /// The clock of `Transaction::now_ms`; `of_caller`: it returns nothing, because the caller has its own clock.
  enum class Time { of_database, of_caller } time = Time::of_database;
  /// What the database is for; it may be empty.
  sql::Purpose purpose = sql::kState;
  /// How long a connection may be idle before it is checked.
  std::chrono::milliseconds check_after = std::chrono::seconds(30);
  /// How often the driver removes old rows of its own table.
  std::chrono::milliseconds sweep_every = std::chrono::hours(24);
};

/// The counts of the driver for the host's metrics.
struct PostgresqlCounts {
  std::size_t connections_open = 0;  // idle, in use, or being made
  std::size_t connections_idle = 0;
  std::size_t calls_waiting = 0;  // for a connection
  std::uint64_t retries = 0;      // of transactions, since the start
};

class PostgresqlState : public sql::Store {
 public:
  virtual PostgresqlCounts counts() const = 0;
};

/// Connects, and creates the driver's own table if it is missing. Throws sql::Failure if the server is unreachable, if
/// privileges are missing, or if the database has another purpose.
std::unique_ptr<PostgresqlState> open_postgresql(const PostgresqlOptions& options);

}  // namespace tonearm::native
