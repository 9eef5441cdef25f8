#include "monitoring/log_throttle.h"

#include <doctest/doctest.h>

using tonearm::native::LogThrottle;

TEST_CASE("A repeated line is written at once and then every ten seconds") {
  LogThrottle throttle;
  CHECK(throttle.try_log(0));
  CHECK_FALSE(throttle.try_log(0));
  CHECK_FALSE(throttle.try_log(9'999));
  CHECK(throttle.try_log(10'000));
  CHECK_FALSE(throttle.try_log(19'999));
  CHECK(throttle.try_log(100'000));
}
