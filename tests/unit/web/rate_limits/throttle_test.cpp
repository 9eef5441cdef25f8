#include "rate_limits/throttle.h"

#include <doctest/doctest.h>

namespace tonearm::web {
namespace {

TEST_SUITE("web: throttle") {
  TEST_CASE("a visitor may send a burst and then as many requests as the bucket refills (WEB-4)") {
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

  TEST_CASE("looking does not count a request (WEB-4)") {
    Throttle throttle({1, 1'000});
    for (int i = 0; i < 3; ++i) CHECK(throttle.retry_after_s("a", 1'000) == 0);
    CHECK(throttle.acquire("a", 1'000) == 0);
    CHECK(throttle.retry_after_s("a", 1'000) == 1);
  }

  TEST_CASE("rejected requests do not count, and setting the clock back locks nobody out (WEB-4)") {
    Throttle throttle({1, 1'000});
    CHECK(throttle.acquire("a", 1'000'000) == 0);
    for (int i = 0; i < 100; ++i) CHECK(throttle.acquire("a", 1'000'000) == 1);
    CHECK(throttle.acquire("a", 1'001'000) == 0);
    CHECK(throttle.acquire("a", 0) == 1);
    CHECK(throttle.acquire("a", 1'000) == 1);
    CHECK(throttle.acquire("c", 0) == 0);
  }

  TEST_CASE("the map evicts the least recently used entry") {
    LruMap<int> map(2);
    map.at("a") = 1;
    map.at("b") = 2;
    CHECK(*map.find("a") == 1);
    map.at("c") = 3;
    CHECK(map.find("b") == nullptr);
    CHECK(*map.find("a") == 1);
    map.erase("a");
    CHECK(map.find("a") == nullptr);
    CHECK(*map.find("c") == 3);
  }
}

}  // namespace
}  // namespace tonearm::web
