#pragma once
// Opens the embedded state: one SQLite file that belongs to one server process.

#include <memory>
#include <string>

#include "tonearm/sqlite.h"

namespace tonearm::native {

/// Opens the state in a file that StateLock has locked. Throws sql::Failure or std::runtime_error, also if the database
/// has another purpose.
std::unique_ptr<sql::Store> open_state_file(const std::string& path, sql::Purpose purpose = sql::kState);

/// Moves committed pages from the write-ahead log into the database, on a separate connection, so that no writer waits.
/// The log then restarts and does not grow. For one thread at a time.
class StateCheckpoint {
 public:
  /// REQUIRES: `open_state_file` has opened `path`. Throws sql::Failure.
  explicit StateCheckpoint(const std::string& path);
  /// Throws sql::Failure; the log then stays as it is.
  void run();

 private:
  sql::SqliteHandle database_;
};

}  // namespace tonearm::native
