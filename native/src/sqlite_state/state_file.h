#pragma once
// The embedded state: one SQLite file that belongs to one server process.

#include <memory>
#include <string>

#include "tonearm/sqlite.h"

namespace tonearm::native {

/// Opens the state in a file that StateLock has made or found. Throws sql::Failure or std::runtime_error, also for a
/// database that is for something else.
std::unique_ptr<sql::Store> open_state_file(const std::string& path, sql::Purpose purpose = sql::kState);

/// Moves what was committed from the log of an open state into its database, through a connection of its own, so that
/// no writer waits for it; the log then starts again and does not grow. One thread at a time.
class StateCheckpoint {
 public:
  /// `path` as for `open_state_file`, which was called before. Throws sql::Failure.
  explicit StateCheckpoint(const std::string& path);
  /// Throws sql::Failure, and has then changed nothing that matters: the log stays.
  void run();

 private:
  sql::SqliteHandle database_;
};

}  // namespace tonearm::native
