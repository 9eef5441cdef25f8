#pragma once
// Whether the state can be used (SERVICE-5), found out by writing to it, at most once a second however often it is
// asked. Safe for concurrent calls: one of them looks, and none waits for another.

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "tonearm/ports.h"
#include "tonearm/sql.h"

namespace tonearm::state {

class Readiness {
 public:
  /// Both outlive it.
  Readiness(sql::Store& store, Clock& clock) : store_(store), clock_(clock) {}

  /// Throws sql::Failure where the state took no write when it was last looked at, or where a look at it has lasted for
  /// a second.
  void check();

 private:
  struct Look {
    std::int64_t at_ms = 0;
    std::optional<std::string> failure;
  };

  void write();

  sql::Store& store_;
  Clock& clock_;
  std::mutex mutex_;  // guards the rest
  std::optional<Look> last_;
  std::optional<std::int64_t> looking_since_ms_;
};

}  // namespace tonearm::state
