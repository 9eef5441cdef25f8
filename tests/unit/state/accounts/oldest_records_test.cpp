// Freeing space in a store that is nearly full.

#include <doctest/doctest.h>

#include "account_fixture.h"
#include "state/calls/call_rows.h"

using namespace tonearm;
using namespace tonearm::state;
using namespace tonearm::test;

// HOST-14
TEST_CASE("records are dropped from the oldest day on, search texts first, until none is left") {
  AccountFixture fixture;
  const std::string account = fixture.new_account();
  constexpr int kDays = 3;
  for (int day = 0; day < kDays; ++day) {
    for (int call = 0; call < 4; ++call) fixture.accounts->record(fixture.call_of(account));
    fixture.accounts->flush();
    fixture.clock.advance_ms(kDayMs);
  }
  REQUIRE(fixture.partitions() == 2 * kDays);
  for (int day = kDays; day > 0; --day) {
    CHECK(drop_oldest_records(fixture.store));
    CHECK(fixture.texts() == 4 * (day - 1));
    CHECK(fixture.records() == 4 * day);
    CHECK(drop_oldest_records(fixture.store));
    CHECK(fixture.records() == 4 * (day - 1));
  }
  CHECK_FALSE(drop_oldest_records(fixture.store));
  CHECK(fixture.accounts->usage(account)->size() == kDays);  // daily totals stay
}
