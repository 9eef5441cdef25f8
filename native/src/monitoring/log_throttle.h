#pragma once
// Limits a repeated log line to one per interval. Safe for concurrent calls.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>

namespace tonearm::native {

class LogThrottle {
 public:
  static constexpr std::chrono::milliseconds kInterval{10'000};

  /// Returns whether the line may be written. `now_ms`: of any clock, but always of the same one.
  bool try_log(std::int64_t now_ms) {
    auto last_ms = last_ms_.load();
    return now_ms - last_ms >= kInterval.count() && last_ms_.compare_exchange_strong(last_ms, now_ms);
  }

 private:
  std::atomic<std::int64_t> last_ms_{std::numeric_limits<std::int64_t>::min() / 2};
};

}  // namespace tonearm::native
