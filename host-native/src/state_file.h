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

/// Opens the state, and makes it where there is none; others than its owner may not read it. Throws sql::Failure or
/// std::runtime_error.
std::unique_ptr<sql::Store> open_state(const std::string& path);

}  // namespace tonearm::native
