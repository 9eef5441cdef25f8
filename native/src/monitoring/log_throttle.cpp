#include "monitoring/log_throttle.h"

namespace tonearm::native {
namespace {

/// Returns the number with a comma before each group of three digits.
std::string grouped(std::uint64_t number) {
  auto digits = std::to_string(number);
  for (auto at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

}  // namespace

std::optional<std::string> LogThrottle::try_log(std::int64_t now_ms) {
  auto last_ms = last_ms_.load();
  if (now_ms - last_ms < kInterval.count() || !last_ms_.compare_exchange_strong(last_ms, now_ms)) {
    ++suppressed_;
    return std::nullopt;
  }
  const auto count = suppressed_.exchange(0);
  if (count == 0) return std::string();
  return " (and " + grouped(count) + " more in the last " + std::to_string((now_ms - last_ms) / 1000) + " s)";
}

}  // namespace tonearm::native
