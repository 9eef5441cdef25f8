#include "state/accounts/message_limit.h"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>
#include <vector>

using namespace tonearm::state;

namespace {

constexpr std::int64_t kMinuteMs = 60'000;
constexpr std::int64_t kNow = 30 * kMinuteMs * 1'000'000;

/// Sends messages until one is refused; returns how many were not, at most 1,000.
int accepted(MessageLimit& limit, const std::string& account, std::int64_t now_ms) {
  int count = 0;
  while (count < 1'000 && !limit.count(account, now_ms)) ++count;
  return count;
}

}  // namespace

TEST_CASE("LIMIT-16: an account may send 60 messages in a minute") {
  MessageLimit limit;
  CHECK(accepted(limit, "acc_a", kNow + 5) == 60);
  CHECK(limit.count("acc_a", kNow + 59'999) == kNow + kMinuteMs);
  CHECK(accepted(limit, "acc_b", kNow + 59'999) == 60);
  CHECK(accepted(limit, "acc_a", kNow + kMinuteMs) == 60);
}

TEST_CASE("LIMIT-16, LIMIT-3, LIMIT-13: a clock that was set back keeps the later minute for at most an hour") {
  MessageLimit limit;
  CHECK(accepted(limit, "acc_a", kNow) == 60);
  CHECK(limit.count("acc_a", kNow - 5'000) == kNow + kMinuteMs);
  CHECK(limit.count("acc_a", kNow - 60 * kMinuteMs) == kNow + kMinuteMs);
  CHECK(accepted(limit, "acc_a", kNow - 61 * kMinuteMs) == 60);
}

TEST_CASE("LIMIT-16: the limit is exact if threads send messages at once") {
  MessageLimit limit;
  std::atomic<int> count{0};
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int message = 0; message < 50; ++message) count += limit.count("acc_a", kNow) ? 0 : 1;
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(count == 60);
}
