#pragma once
// How much each visitor may ask (WEB-4): a bucket for each, which fills again evenly. Safe for concurrent calls.

#include <cstdint>
#include <mutex>
#include <string>

#include "rate_limits/bounded_table.h"

namespace tonearm::web {

class Throttle {
 public:
  struct Rate {
    std::int64_t burst = 0;     // at once
    std::int64_t refill_ms = 0;  // until one more may be asked
  };

  explicit Throttle(Rate rate);

  /// 0: it may be asked, and was counted. Else the seconds until it may.
  std::int64_t acquire(const std::string& visitor, std::int64_t now_ms);

 private:
  /// Instead of a level, when the bucket will be full again (GCRA).
  struct Bucket {
    std::int64_t full_at_ms = 0;
  };

  Rate rate_;
  std::mutex mutex_;
  BoundedTable<Bucket> buckets_;
};

}  // namespace tonearm::web
