#include "system/fair_queue.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <vector>

namespace tonearm::native {
namespace {

using std::chrono::milliseconds;
using Outcome = FairQueue::Outcome;

constexpr FairQueue::Time kBegin{std::chrono::hours(1)};
constexpr JobOwner kGreedy{1};
constexpr JobOwner kModest{2};
constexpr JobOwner kThird{3};

FairQueue::Time at_ms(int ms) { return kBegin + milliseconds(ms); }

/// Starts jobs and returns whose they are, until none may start.
std::vector<JobOwner> start_all(FairQueue& queue, FairQueue::Time now) {
  std::vector<JobOwner> started;
  while (const auto next = queue.start(now)) started.push_back(next->client);
  return started;
}

void push(FairQueue& queue, JobOwner client, int count) {
  for (int i = 0; i < count; ++i) queue.push(client, [] {});
}

TEST_CASE("HOST-46: clients take turns, however many jobs one of them has enqueued") {
  FairQueue queue({.waiting_max = 100});
  push(queue, kGreedy, 5);
  push(queue, kModest, 2);
  const auto started = start_all(queue, at_ms(0));
  REQUIRE(started.size() == 7);
  CHECK(std::count(started.begin(), started.begin() + 4, kModest) == 2);
  CHECK(queue.waiting() == 0);
}

TEST_CASE("HOST-46: a client has a limit of waiting jobs and one of running jobs") {
  FairQueue queue({.waiting_max = 4, .waiting_per_client_max = 2, .running_per_client_max = 1});
  const auto push_one = [&queue](JobOwner client) { return queue.try_push(client, [] {}); };
  CHECK(push_one(kGreedy) == Outcome::accepted);
  CHECK(push_one(kGreedy) == Outcome::accepted);
  CHECK(push_one(kGreedy) == Outcome::client_is_full);
  CHECK(push_one(kModest) == Outcome::accepted);
  CHECK(push_one(kThird) == Outcome::accepted);
  CHECK(push_one(kModest) == Outcome::full);
  push(queue, kGreedy, 1);  // a further job of an admitted request
  CHECK(start_all(queue, at_ms(0)).size() == 3);
  queue.finish(kModest, at_ms(0), at_ms(1));
  CHECK(start_all(queue, at_ms(1)).empty());
  queue.finish(kGreedy, at_ms(0), at_ms(1));
  CHECK(start_all(queue, at_ms(1)) == std::vector{kGreedy});
}

TEST_CASE("HOST-46: without a client there is no limit per client") {
  FairQueue queue(
      {.waiting_max = 10, .waiting_per_client_max = 1, .running_per_client_max = 1, .running_heavy_max = 1});
  for (int i = 0; i < 10; ++i) CHECK(queue.try_push(JobOwner::everyone, [] {}) == Outcome::accepted);
  CHECK(start_all(queue, at_ms(0)).size() == 10);
  push(queue, JobOwner::everyone, 1);
  CHECK(start_all(queue, at_ms(60'000)).size() == 1);
}

TEST_CASE("HOST-46: heavy clients together run only some jobs, and others start at once") {
  FairQueue queue({.waiting_max = 100, .running_per_client_max = 4, .running_heavy_max = 2});
  push(queue, kGreedy, 4);
  push(queue, kThird, 4);
  CHECK(start_all(queue, at_ms(0)).size() == 8);
  push(queue, kGreedy, 4);
  push(queue, kThird, 4);
  for (int i = 0; i < 4; ++i) {
    queue.finish(kGreedy, at_ms(0), at_ms(1'000));
    queue.finish(kThird, at_ms(0), at_ms(1'000));
  }
  CHECK(start_all(queue, at_ms(1'000)).size() == 2);
  push(queue, kModest, 3);
  CHECK(start_all(queue, at_ms(1'001)) == std::vector(3, kModest));
}

TEST_CASE("HOST-46: a job that still runs makes its client heavy, and time makes it light again") {
  FairQueue queue({.waiting_max = 100, .running_heavy_max = 1});
  push(queue, kGreedy, 2);
  CHECK(queue.start(at_ms(0)).has_value());
  CHECK_FALSE(queue.start(at_ms(600)).has_value());
  queue.finish(kGreedy, at_ms(0), at_ms(600));
  CHECK(queue.start(at_ms(600)).has_value());
  push(queue, kGreedy, 2);
  queue.finish(kGreedy, at_ms(600), at_ms(601));
  CHECK(start_all(queue, at_ms(601)).size() == 1);
  queue.finish(kGreedy, at_ms(601), at_ms(602));
  push(queue, kGreedy, 1);
  CHECK(start_all(queue, at_ms(10'000)).size() == 2);
}

TEST_CASE("HOST-46: clients that already run a job leave threads to others") {
  FairQueue queue({.waiting_max = 100, .running_per_client_max = 4, .running_crowded = 3});
  push(queue, kGreedy, 9);
  CHECK(start_all(queue, at_ms(0)).size() == 3);
  push(queue, kModest, 2);
  CHECK(start_all(queue, at_ms(0)) == std::vector{kModest});
  queue.finish(kGreedy, at_ms(0), at_ms(1));
  queue.finish(kGreedy, at_ms(0), at_ms(1));
  CHECK(start_all(queue, at_ms(1)) == std::vector{kModest});
}

TEST_CASE("HOST-46: the client that used least is next") {
  FairQueue queue({.waiting_max = 100, .running_per_client_max = 1});
  push(queue, kGreedy, 1);
  CHECK(queue.start(at_ms(0)).has_value());
  queue.finish(kGreedy, at_ms(0), at_ms(300));
  push(queue, kGreedy, 1);
  push(queue, kModest, 1);
  const auto next = queue.start(at_ms(300));
  REQUIRE(next.has_value());
  CHECK(next->client == kModest);
}

TEST_CASE("A queue that was cleared starts nothing") {
  FairQueue queue({.waiting_max = 100});
  push(queue, kGreedy, 3);
  queue.clear();
  CHECK(queue.waiting() == 0);
  CHECK_FALSE(queue.start(at_ms(0)).has_value());
}

}  // namespace
}  // namespace tonearm::native
