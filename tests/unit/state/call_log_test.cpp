#include "state/call_log.h"

#include <doctest/doctest.h>

#include "account_fixture.h"

using namespace tonearm;
using namespace tonearm::state;
using test::AccountFixture;
using test::FailingStore;
using test::kDayMs;

namespace {

std::int64_t texts(AccountFixture& fixture) {
  return fixture.number("SELECT COUNT(*) FROM call_records WHERE search_text IS NOT NULL");
}
std::int64_t records(AccountFixture& fixture) { return fixture.number("SELECT COUNT(*) FROM call_records"); }

void retain_all(AccountFixture& fixture) {
  while (fixture.accounts->retain_step()) {
  }
}

}  // namespace

TEST_CASE("a call record comes back whole, the latest first, unwritten ones included") {
  AccountFixture fixture;
  const std::string account = fixture.new_account();
  CallRecord search = fixture.call_of(account);
  search.search_text = "rain on a tin roof";
  search.first_party = true;
  fixture.accounts->record(search);
  CHECK(fixture.accounts->flush().records_written == 1);
  fixture.clock.advance_ms(1);
  CallRecord lookup = fixture.call_of(account, 404);
  lookup.route = "/v1/tracks/{id}";
  lookup.result_count.reset();
  lookup.search_text.reset();
  fixture.accounts->record(lookup);
  fixture.accounts->record(fixture.call_of(fixture.new_account()));

  const auto calls = fixture.accounts->calls(account, 10).value();
  REQUIRE(calls.size() == 2);
  CHECK(calls[0].route == "/v1/tracks/{id}");
  CHECK(calls[0].status == 404);
  CHECK_FALSE(calls[0].result_count.has_value());
  CHECK_FALSE(calls[0].search_text.has_value());
  CHECK(calls[1].account == account);
  CHECK(calls[1].key_id == "key_x");
  CHECK(calls[1].at_ms == test::FakeClock::kStartMs);
  CHECK(calls[1].method == "GET");
  CHECK(calls[1].duration_ms == 3);
  CHECK(calls[1].result_count == 20);
  CHECK(calls[1].search_text == "rain on a tin roof");
  CHECK(calls[1].first_party);
  CHECK(fixture.accounts->calls(account, 1)->size() == 1);
  CHECK(fixture.accounts->calls(account, 0)->empty());
}

TEST_CASE("calls of one millisecond come back in the order of their making, also over runs") {
  const test::StateFile file("order");
  std::string account;
  for (int run = 0; run < 3; ++run) {
    AccountFixture fixture(file.name());
    if (run == 0) account = fixture.new_account();
    for (int index = 0; index < 4; ++index) {
      CallRecord call = fixture.call_of(account);
      call.duration_ms = run * 4 + index;
      fixture.accounts->record(call);
    }
    fixture.accounts->flush();
  }
  AccountFixture fixture(file.name());
  const auto calls = fixture.accounts->calls(account, 100).value();
  REQUIRE(calls.size() == 12);
  for (std::size_t index = 0; index < calls.size(); ++index) {
    CHECK(calls[index].duration_ms == 11 - static_cast<std::int64_t>(index));
  }
}

TEST_CASE("each record is written once, whatever fails") {
  for (const auto fault : {FailingStore::Fault::before_commit, FailingStore::Fault::after_commit}) {
    AccountFixture fixture;
    const std::string account = fixture.new_account();
    for (int index = 0; index < 3; ++index) fixture.accounts->record(fixture.call_of(account));
    fixture.store.fail(fault);
    CHECK_THROWS_AS(fixture.accounts->flush(), sql::Failure);
    fixture.accounts->record(fixture.call_of(account));
    CHECK_THROWS_AS(fixture.accounts->flush(), sql::Failure);
    fixture.store.fail(FailingStore::Fault::none);
    fixture.accounts->flush();
    CHECK(records(fixture) == 4);
    CHECK(fixture.accounts->usage(account)->at(0).calls == 4);
    CHECK(fixture.accounts->flush().records_written == 0);
  }
}

TEST_CASE("daily totals count calls, successes and first-party calls by UTC day") {
  AccountFixture fixture;
  const std::string account = fixture.new_account();
  for (const int status : {200, 201, 304, 400, 404, 429, 503}) {
    fixture.accounts->record(fixture.call_of(account, status));
  }
  fixture.accounts->flush();
  CallRecord first_party = fixture.call_of(account);
  first_party.first_party = true;
  fixture.accounts->record(first_party);
  fixture.clock.advance_ms(kDayMs / 2);
  fixture.accounts->record(fixture.call_of(account));
  const auto days = fixture.accounts->usage(account).value();
  REQUIRE(days.size() == 2);
  CHECK(days[0].day_begin_ms == test::FakeClock::kStartMs + kDayMs / 2);
  CHECK(days[0].calls == 1);
  CHECK(days[1].day_begin_ms == test::FakeClock::kStartMs - kDayMs / 2);
  CHECK(days[1].calls == 8);
  CHECK(days[1].succeeded == 4);
  CHECK(days[1].first_party == 1);
}

TEST_CASE("search text goes after 90 days, the record after 400, and the totals stay") {
  AccountFixture fixture;
  const std::string account = fixture.new_account();
  fixture.accounts->record(fixture.call_of(account));
  fixture.accounts->flush();
  fixture.clock.advance_ms(90 * kDayMs - 1);
  retain_all(fixture);
  CHECK(texts(fixture) == 1);
  fixture.clock.advance_ms(1);
  retain_all(fixture);
  CHECK(texts(fixture) == 0);
  CHECK(records(fixture) == 1);
  CHECK(fixture.accounts->calls(account, 1)->at(0).result_count == 20);
  fixture.clock.advance_ms(310 * kDayMs - 1);
  retain_all(fixture);
  CHECK(records(fixture) == 1);
  fixture.clock.advance_ms(1);
  retain_all(fixture);
  CHECK(records(fixture) == 0);
  CHECK(fixture.accounts->usage(account)->at(0).calls == 1);
}

TEST_CASE("a step of retention changes at most 500 rows and tells that more remain") {
  AccountFixture fixture;
  const std::string account = fixture.new_account();
  for (int index = 0; index < 1'200; ++index) fixture.accounts->record(fixture.call_of(account));
  fixture.accounts->flush();
  CHECK_FALSE(fixture.accounts->retain_step());
  fixture.clock.advance_ms(91 * kDayMs);
  CHECK(fixture.accounts->retain_step());
  CHECK(texts(fixture) == 700);
  CHECK(fixture.accounts->retain_step());
  CHECK_FALSE(fixture.accounts->retain_step());
  CHECK(texts(fixture) == 0);
  CHECK(records(fixture) == 1'200);
  fixture.clock.advance_ms(400 * kDayMs);
  CHECK(fixture.accounts->retain_step());
  CHECK(records(fixture) == 700);
}

TEST_CASE("rows of sessions go with the records of their calls, keys stay") {
  AccountFixture fixture;
  const std::string account = fixture.new_account();
  CHECK(fixture.accounts->create_session(account, 60).has_value());
  CHECK(fixture.accounts->create_key(account).has_value());
  fixture.clock.advance_ms(400 * kDayMs + 59'999);
  retain_all(fixture);
  CHECK(fixture.accounts->list_keys(account)->size() == 2);
  fixture.clock.advance_ms(1);
  retain_all(fixture);
  REQUIRE(fixture.accounts->list_keys(account)->size() == 1);
  CHECK_FALSE(fixture.accounts->list_keys(account)->at(0).session);
}

TEST_CASE("deleting an account leaves no row of it, not even of calls that were still running") {
  AccountFixture fixture;
  const std::string account = fixture.new_account();
  const std::string other = fixture.new_account();
  const std::string key = fixture.new_key(account);
  CHECK(fixture.accounts->create_session(account, 60).has_value());
  CHECK(fixture.admitted_of(3, key) == 3);
  fixture.accounts->record(fixture.call_of(account));
  fixture.accounts->flush();
  CHECK(fixture.admitted_of(3, key) == 3);
  fixture.accounts->record(fixture.call_of(account));
  fixture.accounts->record(fixture.call_of(other));
  CHECK(fixture.accounts->delete_account(account).has_value());
  fixture.accounts->record(fixture.call_of(account));
  CHECK(fixture.accounts->flush().records_written == 1);
  for (const auto* table : {"accounts", "api_keys", "call_counters", "call_records", "daily_usage"}) {
    CAPTURE(table);
    CHECK(fixture.number(std::string("SELECT COUNT(*) FROM ") + table + " WHERE account = '" + account + "'") == 0);
  }
  CHECK(fixture.accounts->calls(other, 10)->size() == 1);
}

TEST_CASE("records that a deleted account left in a failed flush are dropped too") {
  AccountFixture fixture;
  const std::string account = fixture.new_account();
  fixture.accounts->record(fixture.call_of(account));
  fixture.store.fail(FailingStore::Fault::before_commit);
  CHECK_THROWS_AS(fixture.accounts->flush(), sql::Failure);
  fixture.store.fail(FailingStore::Fault::none);
  CHECK(fixture.accounts->delete_account(account).has_value());
  CHECK(fixture.accounts->flush().records_written == 0);
}

TEST_CASE("when too many records wait, a call writes them first, and is not counted while that fails") {
  AccountFixture fixture(":memory:", {}, {.accounts_max = 10, .calls_waiting_max = 100});
  const std::string account = fixture.new_account();
  const std::string key = fixture.new_key(account);
  CHECK(fixture.admitted_of(1, key) == 1);
  for (int index = 0; index < 99; ++index) fixture.accounts->record(fixture.call_of(account));
  CHECK(fixture.admitted_of(1, key) == 1);
  CHECK(records(fixture) == 0);
  fixture.accounts->record(fixture.call_of(account));
  fixture.store.fail(FailingStore::Fault::before_commit);
  for (int round = 0; round < 3; ++round) CHECK_THROWS_AS(fixture.accounts->admit(key), sql::Failure);
  CHECK(fixture.outcome("damaged") == Admission::Outcome::invalid_key);
  fixture.accounts->record(fixture.call_of(account));
  fixture.store.fail(FailingStore::Fault::none);
  CHECK(fixture.accounts->admit(key).rate->left[0]->remaining == 17);
  CHECK(records(fixture) == 101);
}
