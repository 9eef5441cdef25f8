#include "http/inline_budget.h"

#include <doctest/doctest.h>

using std::chrono::milliseconds;
using tonearm::native::InlineBudget;

TEST_CASE("A slow request pauses inline answers for eight times its duration, and a fast one does not") {
  const InlineBudget::Time now{std::chrono::hours(1)};
  InlineBudget budget;
  CHECK(budget.is_available(now));
  budget.charge(std::chrono::microseconds(999), now);
  CHECK(budget.is_available(now));
  budget.charge(milliseconds(3), now);
  CHECK_FALSE(budget.is_available(now));
  CHECK_FALSE(budget.is_available(now + milliseconds(23)));
  CHECK(budget.is_available(now + milliseconds(24)));
}
