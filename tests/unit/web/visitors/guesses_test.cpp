#include "visitors/guesses.h"

#include <doctest/doctest.h>

namespace tonearm::web {
namespace {

using Guess = Guesses::Guess;

TEST_SUITE("web: guesses") {
  TEST_CASE("wrong guesses of a name are slowed, twice as long each, to a bound (WEB-8)") {
    Guesses guesses;
    const Guess guess{"anna", "1"};
    std::int64_t now_ms = 1'000'000;
    for (int i = 0; i < 5; ++i) {
      CHECK(guesses.wait_s(guess, now_ms) == 0);
      guesses.was_wrong(guess, now_ms);
    }
    for (const int seconds : {1, 2, 4, 8, 16, 32, 60, 60, 60}) {
      CHECK(guesses.wait_s(guess, now_ms) == seconds);
      now_ms += seconds * 1'000;
      CHECK(guesses.wait_s(guess, now_ms) == 0);
      guesses.was_wrong(guess, now_ms);
    }
    CHECK(guesses.wait_s({"anna", "other address"}, now_ms) == 60);
    CHECK(guesses.wait_s({"bela", "other address"}, now_ms) == 0);
    guesses.was_right(guess);
    CHECK(guesses.wait_s({"anna", "other address"}, now_ms) == 0);
  }

  TEST_CASE("an address that guesses many names is slowed (WEB-8)") {
    Guesses guesses;
    for (int i = 0; i < 20; ++i) guesses.was_wrong({"name " + std::to_string(i), "1"}, 1'000);
    CHECK(guesses.wait_s({"another", "1"}, 1'000) == 1);
    CHECK(guesses.wait_s({"another", "2"}, 1'000) == 0);
  }

  TEST_CASE("others keep nobody out of a device that is known (WEB-8)") {
    Guesses guesses;
    for (int i = 0; i < 100; ++i) guesses.was_wrong({"anna", std::to_string(i)}, 1'000);
    CHECK(guesses.wait_s({"anna", "7"}, 1'000) > 0);
    const Guess known{"anna", "7", true, "device"};
    CHECK(guesses.wait_s(known, 1'000) == 0);
    for (int i = 0; i < 6; ++i) guesses.was_wrong(known, 1'000);
    CHECK(guesses.wait_s(known, 1'000) > 0);
  }
}

}  // namespace
}  // namespace tonearm::web
