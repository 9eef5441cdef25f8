#include "visitors/guesses.h"

#include <algorithm>

namespace tonearm::web {
namespace {

constexpr std::size_t kCountsMax = 65'536;
constexpr std::int64_t kFreeOfName = 5;
constexpr std::int64_t kFreeOfAddress = 20;  // many people may share it
constexpr std::int64_t kWaitMaxMs = 60'000;
constexpr std::int64_t kForgottenMs = 3'600'000;
constexpr std::int64_t kSecondMs = 1'000;

/// 1, 2, 4 ... seconds for each wrong guess above those that are free.
std::int64_t wait_ms(std::int64_t wrong, std::int64_t free) {
  if (wrong < free) return 0;
  constexpr std::int64_t kDoublingsMax = 6;
  return std::min(kWaitMaxMs, kSecondMs << std::min(wrong - free, kDoublingsMax));
}

}  // namespace

Guesses::Guesses() : counts_(kCountsMax) {}

std::string Guesses::key_of_name(const Guess& guess) {
  return guess.is_known_device ? "device " + guess.device : "name " + guess.name;
}

std::string Guesses::key_of_address(const Guess& guess) { return "address " + guess.address; }

std::int64_t Guesses::wait_s(const Guess& guess, std::int64_t now_ms) {
  const std::lock_guard lock(mutex_);
  const auto left_ms = [&](const std::string& key, std::int64_t free) -> std::int64_t {
    const auto* count = counts_.find(key);
    if (count == nullptr) return 0;
    return std::clamp<std::int64_t>(count->last_ms + wait_ms(count->wrong, free) - now_ms, 0, kWaitMaxMs);
  };
  auto left = left_ms(key_of_name(guess), kFreeOfName);
  if (!guess.is_known_device) left = std::max(left, left_ms(key_of_address(guess), kFreeOfAddress));
  return (left + kSecondMs - 1) / kSecondMs;
}

void Guesses::was_wrong(const Guess& guess, std::int64_t now_ms) {
  const std::lock_guard lock(mutex_);
  for (const auto& key : {key_of_name(guess), key_of_address(guess)}) {
    auto& count = counts_.at(key);
    if (now_ms - count.last_ms > kForgottenMs) count.wrong = 0;
    ++count.wrong;
    count.last_ms = now_ms;
  }
}

void Guesses::was_right(const Guess& guess) {
  const std::lock_guard lock(mutex_);
  counts_.erase(key_of_name(guess));
}

}  // namespace tonearm::web
