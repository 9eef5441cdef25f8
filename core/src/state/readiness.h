#pragma once
// Checks whether the state can be used (SERVICE-5) with a probe that writes to it, at most once a second. Safe for
// concurrent calls: one of them probes, and no call waits for another's probe.

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "tonearm/ports.h"
#include "tonearm/sql.h"

namespace tonearm::state {

class Readiness {
 public:
  /// Both outlive the object.
  Readiness(sql::Store& store, Clock& clock) : store_(store), clock_(clock) {}

  /// Throws sql::Failure if the last probe failed, or if a probe has been running for a second.
  void check();

 private:
  struct Probe {
    std::int64_t at_ms = 0;
    std::optional<std::string> failure;
  };

  void write_probe();

  sql::Store& store_;
  Clock& clock_;
  std::mutex mutex_;  // guards the rest
  std::optional<Probe> last_probe_;
  std::optional<std::int64_t> probing_since_ms_;
};

}  // namespace tonearm::state
