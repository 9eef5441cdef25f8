#pragma once
// Limits a repeated log line to one per interval, and counts the others. Safe for concurrent calls.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace tonearm::native {

class LogThrottle {
 public:
  static constexpr std::chrono::milliseconds kInterval{10'000};

  /// Returns nothing if the line is suppressed. Otherwise returns the end of the line to write: " (and 1,234 more in
  /// the last 60 s)", or an empty string if none was suppressed since the last one. `now_ms`: of any clock, but always
  /// of the same one.
  std::optional<std::string> try_log(std::int64_t now_ms);

 private:
  std::atomic<std::int64_t> last_ms_{std::numeric_limits<std::int64_t>::min() / 2};
  std::atomic<std::uint64_t> suppressed_{0};
};

}  // namespace tonearm::native
