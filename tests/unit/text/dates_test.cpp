#include "tonearm/dates.h"

#include <doctest/doctest.h>

#include <chrono>
#include <ctime>

namespace tonearm {

// SERVICE-4
TEST_CASE("Times are RFC 3339 in UTC with whole seconds") {
  CHECK(rfc3339(0) == "1970-01-01T00:00:00Z");
  CHECK(rfc3339(1'768'478'459'999) == "2026-01-15T12:00:59Z");
  CHECK(rfc3339(-1) == "1969-12-31T23:59:59Z");
  CHECK(rfc3339(1'709'251'199'000) == "2024-02-29T23:59:59Z");
  CHECK(rfc3339(-62'167'219'200'000) == "0000-01-01T00:00:00Z");
}

TEST_CASE("Dates of RFC 3339 have four, two and two digits") {
  CHECK(rfc3339_date(0) == "1970-01-01");
  CHECK(rfc3339_date(1'767'225'599) == "2025-12-31");
  CHECK(rfc3339_date(253'402'300'799) == "9999-12-31");
}

TEST_CASE("HTTP dates equal those of the C library (RFC 9110, 5.6.7)") {
  CHECK(http_date(784'111'777'000) == "Sun, 06 Nov 1994 08:49:37 GMT");
  for (std::int64_t at = 0; at < 4'102'444'800; at += 86'400 * 11 + 4'321) {
    const auto seconds = static_cast<std::time_t>(at);
    std::tm utc{};
    gmtime_r(&seconds, &utc);
    char text[64];
    std::strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &utc);
    REQUIRE(http_date(at * 1'000 + 999) == text);
  }
}

}  // namespace tonearm
