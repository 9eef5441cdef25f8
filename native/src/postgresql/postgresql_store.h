#pragma once
// State on PostgreSQL, where several servers share accounts: the driver of the sql port over libpq.
//
// `transact` is SERIALIZABLE and replays its body after a conflict or a lost connection, for a few seconds; then it
// throws sql::Failure. What became of a COMMIT whose answer was lost is looked up before anything else is done
// (docs/adr/0020-a-lost-commit-is-looked-up.md).

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "tonearm/sql.h"

namespace tonearm::native {

/// Whether `--state` names a database server instead of a file: postgresql://... or postgres://...
bool is_postgresql_url(std::string_view state);

struct PostgresqlOptions {
  /// As libpq takes it. A secret: no error and no log line holds it.
  std::string url;
  std::size_t connections_max = 8;
  /// Whose clock `Transaction::now_ms` gives: none where everything runs by an injected one.
  enum class Time { of_database, of_caller } time = Time::of_database;
  /// Holds what it is for, or nothing yet.
  sql::Purpose purpose = sql::kState;
  /// How long a connection may be idle and be used without a check whether it is alive.
  std::chrono::milliseconds check_after = std::chrono::seconds(30);
  /// How often the driver removes what other connections left in its table.
  std::chrono::milliseconds sweep_every = std::chrono::hours(24);
};

/// What the driver counts, for the host's metrics.
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

/// Connects, and makes the driver's own table where there is none. Throws sql::Failure where the server cannot be
/// reached, where rights are missing, and where the database holds something else.
std::unique_ptr<PostgresqlState> open_postgresql(const PostgresqlOptions& options);

}  // namespace tonearm::native
