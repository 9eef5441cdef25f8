#include "rate_limits/throttle.h"

#include <algorithm>

namespace tonearm::web {
namespace {

constexpr std::size_t kVisitorsMax = 65'536;

}  // namespace

Throttle::Throttle(Rate rate) : rate_(rate), buckets_(kVisitorsMax) {}

std::int64_t Throttle::acquire(const std::string& visitor, std::int64_t now_ms) {
  return wait_s(visitor, now_ms, Use::count);
}

std::int64_t Throttle::retry_after_s(const std::string& visitor, std::int64_t now_ms) {
  return wait_s(visitor, now_ms, Use::look);
}

std::int64_t Throttle::wait_s(const std::string& visitor, std::int64_t now_ms, Use use) {
  const std::lock_guard lock(mutex_);
  if (use == Use::look && buckets_.find(visitor) == nullptr) return 0;
  auto& bucket = buckets_.at(visitor);
  const auto empty_for_ms = rate_.burst * rate_.refill_ms;
  // If the clock is set back, no bucket becomes full, and none is empty for longer than its refill time.
  const auto full_at_ms = std::clamp(bucket.full_at_ms, now_ms, now_ms + empty_for_ms);
  const auto wait_ms = full_at_ms + rate_.refill_ms - (now_ms + empty_for_ms);
  constexpr std::int64_t kSecondMs = 1'000;
  if (wait_ms > 0) return (wait_ms + kSecondMs - 1) / kSecondMs;
  if (use == Use::count) bucket.full_at_ms = full_at_ms + rate_.refill_ms;
  return 0;
}

}  // namespace tonearm::web
