#include "rate_limits/login_throttle.h"

#include <algorithm>

namespace tonearm::web {
namespace {

constexpr std::size_t kCountsMax = 65'536;
constexpr std::int64_t kWaitMaxMs = 60'000;
constexpr std::int64_t kSecondMs = 1'000;
constexpr std::int64_t kHourMs = 3'600'000;
constexpr std::int64_t kDayMs = 86'400'000;

// A class of people behind one address can sign in together; a program cannot keep the processors busy.
constexpr Throttle::Rate kChecksPerAddress{30, 1'000};
constexpr Throttle::Rate kSuccessesPerName{20, 10'000};
// At most 770 in the first day, from however many addresses.
constexpr Throttle::Rate kFreeGuessesPerName{50, 120'000};

/// Returns 1, 2, 4 ... seconds for each failure after the free ones.
std::int64_t delay_ms(std::int64_t failures, std::int64_t free) {
  if (failures < free) return 0;
  constexpr std::int64_t kDoublingsMax = 6;
  return std::min(kWaitMaxMs, kSecondMs << std::min(failures - free, kDoublingsMax));
}

std::string device_key(const LoginThrottle::Attempt& attempt) { return "device " + attempt.device; }
std::string pair_key(const LoginThrottle::Attempt& attempt) { return "pair " + attempt.address + ' ' + attempt.name; }
std::string address_key(const LoginThrottle::Attempt& attempt) { return "address " + attempt.address; }
std::string guessed_name_key(const LoginThrottle::Attempt& attempt) { return "name " + attempt.name; }

}  // namespace

constexpr LoginThrottle::Rule LoginThrottle::kDeviceRule{5, kHourMs};
// Longer than other counts, so that no address regains its own guesses by waiting an hour.
constexpr LoginThrottle::Rule LoginThrottle::kPairRule{5, kDayMs};
constexpr LoginThrottle::Rule LoginThrottle::kAddressRule{20, kHourMs};  // several people may share an address
constexpr LoginThrottle::Rule LoginThrottle::kNameRule{1, kHourMs};

LoginThrottle::LoginThrottle()
    : checked_(kChecksPerAddress),
      successes_(kSuccessesPerName),
      free_guesses_(kFreeGuessesPerName),
      counts_(kCountsMax) {}

std::int64_t LoginThrottle::acquire(const Attempt& attempt, std::int64_t now_ms) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto left_ms = guess_wait_ms(attempt, now_ms); left_ms > 0) return (left_ms + kSecondMs - 1) / kSecondMs;
  }
  if (const auto wait_s = successes_.retry_after_s(attempt.name, now_ms); wait_s > 0) return wait_s;
  return checked_.acquire(attempt.address, now_ms);
}

std::int64_t LoginThrottle::guess_wait_ms(const Attempt& attempt, std::int64_t now_ms) {
  if (attempt.is_known_device) return wait_ms(device_key(attempt), kDeviceRule, now_ms);
  const auto of_address = wait_ms(address_key(attempt), kAddressRule, now_ms);
  const auto of_name = has_free_guess(attempt, now_ms) ? free_guesses_.retry_after_s(attempt.name, now_ms) * kSecondMs
                                                       : wait_ms(guessed_name_key(attempt), kNameRule, now_ms);
  return std::max(of_address, of_name);
}

std::int64_t LoginThrottle::wait_ms(const std::string& key, const Rule& rule, std::int64_t now_ms) {
  const auto* const count = counts_.find(key);
  if (count == nullptr) return 0;
  return std::clamp<std::int64_t>(count->last_ms + delay_ms(count->failures, rule.free) - now_ms, 0, kWaitMaxMs);
}

bool LoginThrottle::has_free_guess(const Attempt& attempt, std::int64_t now_ms) {
  const auto* const count = counts_.find(pair_key(attempt));
  return count == nullptr || count->failures < kPairRule.free || now_ms - count->last_ms > kPairRule.reset_ms;
}

void LoginThrottle::record_failure(const Attempt& attempt, std::int64_t now_ms) {
  const std::lock_guard lock(mutex_);
  add_failure(address_key(attempt), kAddressRule, now_ms);
  if (attempt.is_known_device) return add_failure(device_key(attempt), kDeviceRule, now_ms);
  if (has_free_guess(attempt, now_ms)) {
    free_guesses_.acquire(attempt.name, now_ms);
  } else {
    add_failure(guessed_name_key(attempt), kNameRule, now_ms);
  }
  add_failure(pair_key(attempt), kPairRule, now_ms);
}

void LoginThrottle::add_failure(const std::string& key, const Rule& rule, std::int64_t now_ms) {
  auto& count = counts_.at(key);
  if (now_ms - count.last_ms > rule.reset_ms) count.failures = 0;
  ++count.failures;
  count.last_ms = now_ms;
}

void LoginThrottle::record_success(const Attempt& attempt, std::int64_t now_ms) {
  successes_.acquire(attempt.name, now_ms);
  const std::lock_guard lock(mutex_);
  counts_.erase(attempt.is_known_device ? device_key(attempt) : pair_key(attempt));
}

}  // namespace tonearm::web
