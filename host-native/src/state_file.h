#pragma once
// The embedded state: one SQLite file that belongs to one server process.

#include <memory>
#include <string>

#include "tonearm/sql.h"

namespace tonearm::native {

/// Holds `PATH.lock` locked for as long as it lives (C7.2).
class StateLock {
 public:
  /// Throws std::runtime_error that says who holds it, or why it cannot be made.
  explicit StateLock(const std::string& state_path);
  ~StateLock();
  StateLock(const StateLock&) = delete;
  StateLock& operator=(const StateLock&) = delete;

 private:
  int descriptor_;
};

/// Opens the state in a file, and makes it where there is none; others than its owner may not read it. Throws
/// sql::Failure or std::runtime_error.
std::unique_ptr<sql::Store> open_state_file(const std::string& path);

/// Moves what was committed from the log of an open state into its database, through a connection of its own, so that
/// no writer waits for it; the log begins anew afterwards and does not grow. One thread at a time.
class StateCheckpoint {
 public:
  /// `path` as for `open_state`, which was called before. Throws sql::Failure.
  explicit StateCheckpoint(const std::string& path);
  /// Throws sql::Failure, and has then changed nothing that matters: the log stays.
  void run();

 private:
  sql::SqliteHandle database_;
};

}  // namespace tonearm::native
