#include "rate_limits/login_throttle.h"

#include <doctest/doctest.h>

namespace tonearm::web {
namespace {

using Attempt = LoginThrottle::Attempt;

TEST_SUITE("web: login_throttle") {
  TEST_CASE("wrong login_throttle of a name are slowed, twice as long each, to a bound (WEB-8)") {
    LoginThrottle login_throttle;
    const Attempt attempt{"anna", "1"};
    std::int64_t now_ms = 1'000'000;
    for (int i = 0; i < 5; ++i) {
      CHECK(login_throttle.retry_after_s(attempt, now_ms) == 0);
      login_throttle.record_failure(attempt, now_ms);
    }
    for (const int seconds : {1, 2, 4, 8, 16, 32, 60, 60, 60}) {
      CHECK(login_throttle.retry_after_s(attempt, now_ms) == seconds);
      now_ms += seconds * 1'000;
      CHECK(login_throttle.retry_after_s(attempt, now_ms) == 0);
      login_throttle.record_failure(attempt, now_ms);
    }
    CHECK(login_throttle.retry_after_s({"anna", "other address"}, now_ms) == 60);
    CHECK(login_throttle.retry_after_s({"bela", "other address"}, now_ms) == 0);
    login_throttle.record_success(attempt);
    CHECK(login_throttle.retry_after_s({"anna", "other address"}, now_ms) == 0);
  }

  TEST_CASE("an address that login_throttle many names is slowed (WEB-8)") {
    LoginThrottle login_throttle;
    for (int i = 0; i < 20; ++i) login_throttle.record_failure({"name " + std::to_string(i), "1"}, 1'000);
    CHECK(login_throttle.retry_after_s({"another", "1"}, 1'000) == 1);
    CHECK(login_throttle.retry_after_s({"another", "2"}, 1'000) == 0);
  }

  TEST_CASE("others keep nobody out of a device that is known (WEB-8)") {
    LoginThrottle login_throttle;
    for (int i = 0; i < 100; ++i) login_throttle.record_failure({"anna", std::to_string(i)}, 1'000);
    CHECK(login_throttle.retry_after_s({"anna", "7"}, 1'000) > 0);
    const Attempt known{"anna", "7", true, "device"};
    CHECK(login_throttle.retry_after_s(known, 1'000) == 0);
    for (int i = 0; i < 6; ++i) login_throttle.record_failure(known, 1'000);
    CHECK(login_throttle.retry_after_s(known, 1'000) > 0);
  }
}

}  // namespace
}  // namespace tonearm::web
