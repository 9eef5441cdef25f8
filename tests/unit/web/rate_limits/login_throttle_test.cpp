#include "rate_limits/login_throttle.h"

#include <doctest/doctest.h>

namespace tonearm::web {
namespace {

using Attempt = LoginThrottle::Attempt;

TEST_SUITE("web: login throttle") {
  TEST_CASE("each failure of a name doubles the delay, up to a maximum (WEB-8)") {
    LoginThrottle throttle;
    const Attempt attempt{"anna", "1"};
    std::int64_t now_ms = 1'000'000;
    for (int i = 0; i < 5; ++i) {
      CHECK(throttle.retry_after_s(attempt, now_ms) == 0);
      throttle.record_failure(attempt, now_ms);
    }
    for (const int seconds : {1, 2, 4, 8, 16, 32, 60, 60, 60}) {
      CHECK(throttle.retry_after_s(attempt, now_ms) == seconds);
      now_ms += seconds * 1'000;
      CHECK(throttle.retry_after_s(attempt, now_ms) == 0);
      throttle.record_failure(attempt, now_ms);
    }
    CHECK(throttle.retry_after_s({"anna", "other address"}, now_ms) == 60);
    CHECK(throttle.retry_after_s({"bela", "other address"}, now_ms) == 0);
    throttle.record_success(attempt);
    CHECK(throttle.retry_after_s({"anna", "other address"}, now_ms) == 0);
  }

  TEST_CASE("an address that tries many names is slowed down (WEB-8)") {
    LoginThrottle throttle;
    for (int i = 0; i < 20; ++i) throttle.record_failure({"name " + std::to_string(i), "1"}, 1'000);
    CHECK(throttle.retry_after_s({"another", "1"}, 1'000) == 1);
    CHECK(throttle.retry_after_s({"another", "2"}, 1'000) == 0);
  }

  TEST_CASE("failures of others do not delay a known device (WEB-8)") {
    LoginThrottle throttle;
    for (int i = 0; i < 100; ++i) throttle.record_failure({"anna", std::to_string(i)}, 1'000);
    CHECK(throttle.retry_after_s({"anna", "7"}, 1'000) > 0);
    const Attempt known{"anna", "7", true, "device"};
    CHECK(throttle.retry_after_s(known, 1'000) == 0);
    for (int i = 0; i < 6; ++i) throttle.record_failure(known, 1'000);
    CHECK(throttle.retry_after_s(known, 1'000) > 0);
  }
}

}  // namespace
}  // namespace tonearm::web
