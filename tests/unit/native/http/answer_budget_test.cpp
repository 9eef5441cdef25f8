#include "http/answer_budget.h"

#include <doctest/doctest.h>

#include <memory>

namespace tonearm::native {
namespace {

constexpr ClientKey kFirst{1};
constexpr ClientKey kSecond{2};
constexpr ClientKey kThree{3};

/// Records whether it was closed.
class SlowReader final : public Session {
 public:
  void start() override {}
  void close_when_idle() override {}
  void check_deadline() override {}
  void evict() override {}
  void abort() override { aborted = true; }

  bool aborted = false;
};

HttpLimits small_budgets() {
  HttpLimits limits;
  limits.pending_bytes_per_client_max = 100;
  limits.pending_bytes_max = 250;
  return limits;
}

struct Budget {
  std::unique_ptr<AnswerBudget::Pending> reserve(std::optional<ClientKey> client, std::size_t bytes) {
    return budget.try_reserve(client, bytes, reader);
  }

  HttpLimits limits = small_budgets();
  AnswerBudget budget{limits};
  std::shared_ptr<SlowReader> reader = std::make_shared<SlowReader>();
};

// HOST-47
TEST_CASE("A client's answers wait up to a limit, and a read answer frees its bytes") {
  Budget budget;
  const auto first = budget.reserve(kFirst, 60);
  REQUIRE(first != nullptr);
  auto second = budget.reserve(kFirst, 40);
  REQUIRE(second != nullptr);
  CHECK(budget.reserve(kFirst, 1) == nullptr);
  CHECK(budget.reserve(kSecond, 100) != nullptr);
  second = nullptr;
  CHECK(budget.reserve(kFirst, 40) != nullptr);
}

// HOST-47
TEST_CASE("A client's only answer is never too long for it") {
  Budget budget;
  const auto only = budget.reserve(kFirst, 1'000);
  CHECK(only != nullptr);
  CHECK(budget.reserve(kFirst, 1) == nullptr);
}

// HOST-47
TEST_CASE("If the total is exhausted, the oldest answer of the client that has most is closed") {
  Budget budget;
  const auto small = budget.reserve(kFirst, 50);
  budget.reader = std::make_shared<SlowReader>();
  const auto oldest = budget.reserve(kSecond, 40);
  const auto oldest_reader = budget.reader;
  budget.reader = std::make_shared<SlowReader>();
  const auto later = budget.reserve(kSecond, 60);
  const auto later_reader = budget.reader;
  budget.reader = std::make_shared<SlowReader>();
  const auto other = budget.reserve(kThree, 90);
  const auto next = budget.reserve(kFirst, 40);
  CHECK(next != nullptr);
  CHECK(oldest_reader->aborted);
  CHECK_FALSE(later_reader->aborted);
  CHECK(budget.reserve(ClientKey{4}, 95) == nullptr);  // nobody has more than it would have
}

// HOST-47
TEST_CASE("A closed answer no longer counts, whenever its session ends") {
  Budget budget;
  const auto reader = budget.reader;
  auto big = budget.reserve(kFirst, 240);
  const auto next = budget.reserve(kSecond, 50);
  REQUIRE(next != nullptr);
  CHECK(reader->aborted);
  big = nullptr;
  CHECK(budget.reserve(kThree, 90) != nullptr);
  CHECK(budget.reserve(std::nullopt, 100) != nullptr);
}

}  // namespace
}  // namespace tonearm::native
