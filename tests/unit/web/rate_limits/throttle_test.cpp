#include "rate_limits/throttle.h"

#include <doctest/doctest.h>

namespace tonearm::web {
namespace {

TEST_SUITE("web: throttle") {
  TEST_CASE("a visitor may ask a burst at once and then as fast as the bucket fills (WEB-4)") {
    Throttle throttle({3, 500});
    for (int i = 0; i < 3; ++i) CHECK(throttle.acquire("a", 1'000) == 0);
    CHECK(throttle.acquire("a", 1'000) == 1);
    CHECK(throttle.acquire("b", 1'000) == 0);
    CHECK(throttle.acquire("a", 1'499) == 1);
    CHECK(throttle.acquire("a", 1'500) == 0);
    CHECK(throttle.acquire("a", 1'500) == 1);
    for (int i = 0; i < 3; ++i) CHECK(throttle.acquire("a", 100'000) == 0);
    CHECK(throttle.acquire("a", 100'000) == 1);
  }

  TEST_CASE("what is refused counts for nothing, and a clock set back locks nobody out (WEB-4)") {
    Throttle throttle({1, 1'000});
    CHECK(throttle.acquire("a", 1'000'000) == 0);
    for (int i = 0; i < 100; ++i) CHECK(throttle.acquire("a", 1'000'000) == 1);
    CHECK(throttle.acquire("a", 1'001'000) == 0);
    CHECK(throttle.acquire("a", 0) == 1);
    CHECK(throttle.acquire("a", 1'000) == 1);
    CHECK(throttle.acquire("c", 0) == 0);
  }

  TEST_CASE("the table forgets what was used longest ago") {
    BoundedTable<int> table(2);
    table.at("a") = 1;
    table.at("b") = 2;
    CHECK(*table.find("a") == 1);
    table.at("c") = 3;
    CHECK(table.find("b") == nullptr);
    CHECK(*table.find("a") == 1);
    table.erase("a");
    CHECK(table.find("a") == nullptr);
    CHECK(*table.find("c") == 3);
  }
}

}  // namespace
}  // namespace tonearm::web
