#include "rate_limits/login_throttle.h"

#include <doctest/doctest.h>

namespace tonearm::web {
namespace {

using Attempt = LoginThrottle::Attempt;

/// Guesses once if the throttle allows it. Returns whether it did.
bool guess(LoginThrottle& throttle, const Attempt& attempt, std::int64_t now_ms) {
  if (throttle.acquire(attempt, now_ms) > 0) return false;
  throttle.record_failure(attempt, now_ms);
  return true;
}

TEST_SUITE("web: login throttle") {
  TEST_CASE("after five failures of an address for a name, each further one doubles the delay (WEB-8)") {
    LoginThrottle throttle;
    const Attempt attempt{"anna", "1"};
    std::int64_t now_ms = 1'000'000;
    for (int i = 0; i < 6; ++i) CHECK(guess(throttle, attempt, now_ms));
    for (const int seconds : {1, 2, 4, 8, 16, 32, 60, 60, 60}) {
      CHECK(throttle.acquire(attempt, now_ms) == seconds);
      now_ms += seconds * 1'000;
      CHECK(guess(throttle, attempt, now_ms));
    }
    CHECK(throttle.acquire({"bela", "other address"}, now_ms) == 0);
  }

  TEST_CASE("one address that guesses once a minute does not delay the person in a new browser (WEB-8)") {
    LoginThrottle throttle;
    std::int64_t now_ms = 1'000'000;
    for (int minute = 0; minute < 3'000; ++minute, now_ms += 60'000) {
      guess(throttle, {"anna", "attacker"}, now_ms);
      if (minute % 100 > 0) continue;
      const Attempt person{"anna", "person"};
      CHECK(throttle.acquire(person, now_ms + 1) == 0);
      throttle.record_success(person, now_ms + 1);
    }
  }

  TEST_CASE("a person who mistypes during an attack still has guesses of the own address (WEB-8)") {
    LoginThrottle throttle;
    for (int i = 0; i < 100; ++i) guess(throttle, {"anna", "attacker"}, 1'000'000 + i * 1'000);
    for (int i = 0; i < 4; ++i) CHECK(guess(throttle, {"anna", "person"}, 1'100'000));
    CHECK(throttle.acquire({"anna", "person"}, 1'100'000) == 0);
  }

  TEST_CASE("a thousand addresses guess hardly faster than one (WEB-8)") {
    LoginThrottle throttle;
    int guesses = 0;
    const auto guess_everywhere = [&](std::int64_t now_ms) {
      for (int address = 0; address < 1'000; ++address) {
        for (int tries = 0; tries < 10; ++tries) {
          guesses += guess(throttle, {"anna", std::to_string(address)}, now_ms) ? 1 : 0;
        }
      }
    };
    guess_everywhere(1'000'000);
    CHECK(guesses >= 50);
    CHECK(guesses <= 60);
    guesses = 0;
    for (int minute = 1; minute <= 60; ++minute) guess_everywhere(1'000'000 + minute * 60'000);
    CHECK(guesses <= 120);
    // Only for this name, and not on devices on which the person has signed in.
    CHECK(throttle.acquire({"bela", "new address"}, 4'600'000) == 0);
    CHECK(throttle.acquire({"anna", "new address", true, "device"}, 4'600'000) == 0);
  }

  TEST_CASE("an address that tries many names is slowed down (WEB-8)") {
    LoginThrottle throttle;
    for (int i = 0; i < 20; ++i) throttle.record_failure({"name " + std::to_string(i), "1"}, 1'000);
    CHECK(throttle.acquire({"another", "1"}, 1'000) == 1);
    CHECK(throttle.acquire({"another", "2"}, 1'000) == 0);
  }

  TEST_CASE("failures of others do not delay a known device (WEB-8)") {
    LoginThrottle throttle;
    for (int i = 0; i < 100; ++i) throttle.record_failure({"anna", "7"}, 1'000);
    CHECK(throttle.acquire({"anna", "7"}, 1'000) > 0);
    const Attempt known{"anna", "7", true, "device"};
    CHECK(throttle.acquire(known, 1'000) == 0);
    for (int i = 0; i < 6; ++i) throttle.record_failure(known, 1'000);
    CHECK(throttle.acquire(known, 1'000) > 0);
    throttle.record_success(known, 1'000);
    CHECK(throttle.acquire(known, 1'000) == 0);
  }

  TEST_CASE("right passwords are limited per address and per person (WEB-26)") {
    LoginThrottle throttle;
    const auto sign_in = [&](const Attempt& attempt, std::int64_t now_ms) {
      const bool is_allowed = throttle.acquire(attempt, now_ms) == 0;
      if (is_allowed) throttle.record_success(attempt, now_ms);
      return is_allowed;
    };
    int of_person = 0;
    for (int i = 0; i < 1'000; ++i) of_person += sign_in({"anna", std::to_string(i)}, 1'000'000) ? 1 : 0;
    CHECK(of_person == 20);
    CHECK(throttle.acquire({"anna", "new"}, 1'000'000) == 10);
    CHECK(sign_in({"anna", "new"}, 1'010'000));
    int of_address = 0;
    for (int i = 0; i < 1'000; ++i) of_address += sign_in({"name " + std::to_string(i), "class"}, 1'000'000) ? 1 : 0;
    CHECK(of_address == 30);
    CHECK(sign_in({"another", "class"}, 1'001'000));
  }
}

}  // namespace
}  // namespace tonearm::web
