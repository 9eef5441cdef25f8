#pragma once
// Limits the requests of each visitor with a token bucket (WEB-4). Safe for concurrent calls.

#include <cstdint>
#include <mutex>
#include <string>

#include "rate_limits/lru_map.h"

namespace tonearm::web {

class Throttle {
 public:
  struct Rate {
    std::int64_t burst = 0;      // requests at once
    std::int64_t refill_ms = 0;  // time to refill one request
  };

  explicit Throttle(Rate rate);

  /// Counts a request. Returns 0 if it is allowed; otherwise it is not counted, and the result is the seconds to wait.
  std::int64_t acquire(const std::string& visitor, std::int64_t now_ms);
  /// Like `acquire`, without counting a request.
  std::int64_t retry_after_s(const std::string& visitor, std::int64_t now_ms);

 private:
  /// Stores when the bucket will be full again instead of its level (GCRA).
  struct Bucket {
    std::int64_t full_at_ms = 0;
  };

  enum class Use : std::uint8_t { look, count };
  std::int64_t wait_s(const std::string& visitor, std::int64_t now_ms, Use use);

  Rate rate_;
  std::mutex mutex_;
  LruMap<Bucket> buckets_;
};

}  // namespace tonearm::web
