#include "http/allowance.h"

#include <doctest/doctest.h>

using std::chrono::milliseconds;
using tonearm::native::Allowance;

TEST_CASE("a thread pauses for eight times what a long call took, and not for short ones") {
  const Allowance::Time now{std::chrono::hours(1)};
  Allowance allowance;
  CHECK(allowance.allows(now));
  allowance.took(std::chrono::microseconds(999), now);
  CHECK(allowance.allows(now));
  allowance.took(milliseconds(3), now);
  CHECK_FALSE(allowance.allows(now));
  CHECK_FALSE(allowance.allows(now + milliseconds(23)));
  CHECK(allowance.allows(now + milliseconds(24)));
}
