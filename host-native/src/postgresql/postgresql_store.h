#pragma once
// State on PostgreSQL, where several servers share accounts: the driver of the sql port over libpq.
//
// `transact` is SERIALIZABLE and replays its body after a conflict or a lost connection, for a few seconds; then it
// throws sql::Failure. What became of a COMMIT whose answer was lost is looked up before anything else is done
// (docs/adr/0020-a-lost-commit-is-looked-up.md).

#include <chrono>
#include <cstddef>
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

/// Connects, and makes the driver's own table where there is none. Throws sql::Failure where the server cannot be
/// reached, where rights are missing, and where the database holds something else.
std::unique_ptr<sql::Store> open_postgresql(const PostgresqlOptions& options);

}  // namespace tonearm::native
