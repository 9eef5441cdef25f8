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

TEST_CASE("HOST-48: a line says how many before it were suppressed, and since when") {
  LogThrottle throttle;
  CHECK(throttle.try_log(5'000) == "");
  CHECK(throttle.try_log(15'000) == "");
  for (int i = 0; i < 1'234; ++i) CHECK_FALSE(throttle.try_log(20'000));
  CHECK(throttle.try_log(75'000) == " (and 1,234 more in the last 60 s)");
  CHECK(throttle.try_log(85'000) == "");
  CHECK_FALSE(throttle.try_log(85'000));
  CHECK(throttle.try_log(95'999) == " (and 1 more in the last 10 s)");
  for (int i = 0; i < 1'000'000; ++i) (void)throttle.try_log(96'000);
  CHECK(throttle.try_log(106'000) == " (and 1,000,000 more in the last 10 s)");
}
