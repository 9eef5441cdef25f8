#include "rate_limits/login_throttle.h"

#include <algorithm>

namespace tonearm::web {
namespace {

constexpr std::size_t kCountsMax = 65'536;
constexpr std::int64_t kFreePerName = 5;
constexpr std::int64_t kFreePerAddress = 20;  // several people may share an address
constexpr std::int64_t kWaitMaxMs = 60'000;
constexpr std::int64_t kResetMs = 3'600'000;
constexpr std::int64_t kSecondMs = 1'000;

/// Returns 1, 2, 4 ... seconds for each failure after the free ones.
std::int64_t wait_ms(std::int64_t failures, std::int64_t free) {
  if (failures < free) return 0;
  constexpr std::int64_t kDoublingsMax = 6;
  return std::min(kWaitMaxMs, kSecondMs << std::min(failures - free, kDoublingsMax));
}

}  // namespace

LoginThrottle::LoginThrottle() : counts_(kCountsMax) {}

std::string LoginThrottle::target_key(const Attempt& attempt) {
  return attempt.is_known_device ? "device " + attempt.device : "name " + attempt.name;
}

std::string LoginThrottle::address_key(const Attempt& attempt) { return "address " + attempt.address; }

std::int64_t LoginThrottle::retry_after_s(const Attempt& attempt, std::int64_t now_ms) {
  const std::lock_guard lock(mutex_);
  const auto left_ms = [&](const std::string& key, std::int64_t free) -> std::int64_t {
    const auto* count = counts_.find(key);
    if (count == nullptr) return 0;
    return std::clamp<std::int64_t>(count->last_ms + wait_ms(count->failures, free) - now_ms, 0, kWaitMaxMs);
  };
  auto left = left_ms(target_key(attempt), kFreePerName);
  if (!attempt.is_known_device) left = std::max(left, left_ms(address_key(attempt), kFreePerAddress));
  return (left + kSecondMs - 1) / kSecondMs;
}

void LoginThrottle::record_failure(const Attempt& attempt, std::int64_t now_ms) {
  const std::lock_guard lock(mutex_);
  for (const auto& key : {target_key(attempt), address_key(attempt)}) {
    auto& count = counts_.at(key);
    if (now_ms - count.last_ms > kResetMs) count.failures = 0;
    ++count.failures;
    count.last_ms = now_ms;
  }
}

void LoginThrottle::record_success(const Attempt& attempt) {
  const std::lock_guard lock(mutex_);
  counts_.erase(target_key(attempt));
}

}  // namespace tonearm::web
