#include "state/calls/call_rows.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "account_fixture.h"
#include "state/call_partitions.h"

using namespace tonearm;
using namespace tonearm::state;
using state::kDayMs;
using test::AccountFixture;
using test::FailingStore;

namespace {

/// Counts round trips to the database.
class CountingTransaction final : public sql::Transaction {
 public:
  explicit CountingTransaction(sql::Transaction& inner) : inner_(inner) {}
  sql::Rows execute(std::string_view statement, const sql::Row& parameters) override {
    ++round_trips_;
    return inner_.execute(statement, parameters);
  }
  std::vector<sql::Rows> execute_each(std::string_view statement, const std::vector<sql::Row>& parameters) override {
    ++round_trips_;
    return inner_.execute_each(statement, parameters);
  }
  std::string_view create_table_suffix() const override { return inner_.create_table_suffix(); }
  int round_trips() const { return round_trips_; }

 private:
  sql::Transaction& inner_;
  int round_trips_ = 0;
};

}  // namespace

TEST_CASE("a batch of many accounts takes as many round trips as one of a single account") {
  const auto round_trips_of = [](std::size_t accounts) {
    AccountFixture fixture;
    std::vector<NumberedCall> calls;
    for (std::size_t index = 0; index < accounts; ++index) {
      CallRecord call = fixture.call_of(fixture.new_account());
      call.search_text = "rain";
      calls.push_back({static_cast<std::int64_t>(index), call});
    }
    int round_trips = 0;
    transact_with_partitions(fixture.store, [&](sql::Transaction& transaction) {
      CountingTransaction counting(transaction);
      const std::size_t written = write_calls(counting, calls, NumberOrder::ascending).count;  // may lack a partition
      CHECK(written == accounts);
      CHECK(write_calls(transaction, calls, NumberOrder::ascending).count == 0);
      round_trips = counting.round_trips();
    });
    return round_trips;
  };
  CHECK(round_trips_of(30) == round_trips_of(1));
}

TEST_CASE("call records are returned completely, latest first, pending ones included") {
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

TEST_CASE("a record keeps its number, or gets one if it has none") {
  PendingCalls waiting(3);
  AccountFixture fixture;
  CallRecord numbered = fixture.call_of("acc_x");
  numbered.number = 17;
  waiting.add(fixture.call_of("acc_x", 200));
  waiting.add(numbered);
  waiting.add(fixture.call_of("acc_x", 404));
  const auto calls = waiting.oldest(3);
  REQUIRE(calls.size() == 3);
  CHECK(calls[0].number > 0);
  CHECK(calls[1].number == 17);
  CHECK(calls[2].number == calls[0].number + 1);
}

TEST_CASE("a search text is stored as it is, except that zero bytes become spaces") {
  AccountFixture fixture;
  const std::string account = fixture.new_account();
  CallRecord call = fixture.call_of(account);
  call.search_text = std::string("rain\0\x01'\\ \xf0\x9f\x8c\xa7 ?1 $1", 19);
  fixture.accounts->record(call);
  CHECK(fixture.accounts->flush().records_written == 1);
  CHECK(fixture.accounts->calls(account, 1)->at(0).search_text == "rain \x01'\\ \xf0\x9f\x8c\xa7 ?1 $1");
}

TEST_CASE("calls of one millisecond are returned in the order of creation, also across runs") {
  const test::StateFile file;
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

TEST_CASE("records of many days are returned across their partitions, latest first, up to the limit") {
  AccountFixture fixture;
  const std::string account = fixture.new_account();
  const std::string other = fixture.new_account();
  constexpr int kDays = 100;
  for (int day = 0; day < kDays; ++day) {
    for (const int status : {200, 404}) {
      fixture.accounts->record(fixture.call_of(account, status));
      fixture.clock.advance_ms(1);
    }
    if (day % 7 == 0) fixture.accounts->record(fixture.call_of(other));
    fixture.accounts->flush();
    fixture.clock.advance_ms(day % 3 == 0 ? 2 * kDayMs : kDayMs);
  }
  for (const std::uint32_t limit : {1U, 2U, 3U, 63U, 64U, 65U, 199U, 200U, 500U}) {
    const auto calls = fixture.accounts->calls(account, limit).value();
    REQUIRE(calls.size() == std::min<std::size_t>(limit, 2 * kDays));
    for (std::size_t index = 0; index < calls.size(); ++index) {
      CHECK(calls[index].status == (index % 2 == 0 ? 404 : 200));
      if (index > 0) CHECK(calls[index].at_ms < calls[index - 1].at_ms);
    }
  }
}

TEST_CASE("a clock that was set back hides no record") {
  AccountFixture fixture;
  const std::string account = fixture.new_account();
  fixture.accounts->record(fixture.call_of(account));
  fixture.clock.advance_ms(-3 * kDayMs);
  fixture.accounts->record(fixture.call_of(account));
  CHECK(fixture.accounts->calls(account, 10)->size() == 2);
}

TEST_CASE("a flush writes in batches, and a failure in the middle leaves the rest pending") {
  AccountFixture fixture;
  const std::string account = fixture.new_account();
  for (int index = 0; index < 1'200; ++index) fixture.accounts->record(fixture.call_of(account));
  fixture.store.fail(FailingStore::FailAt::before_commit, 1);
  CHECK_THROWS_AS(fixture.accounts->flush(), sql::Failure);
  fixture.store.fail(FailingStore::FailAt::none);
  CHECK(fixture.records() == 250);
  CHECK(fixture.texts() == 250);
  fixture.accounts->record(fixture.call_of(account));
  CHECK(fixture.accounts->flush().records_written == 951);
  CHECK(fixture.records() == 1'201);
  CHECK(fixture.accounts->usage(account)->at(0).calls == 1'201);
  const auto calls = fixture.accounts->calls(account, 2'000).value();
  CHECK(calls.size() == 1'201);
  CHECK(fixture.accounts->flush().records_written == 0);
}

// RECORD-7
TEST_CASE("each record is written once, whatever fails") {
  for (const auto when : {FailingStore::FailAt::before_commit, FailingStore::FailAt::after_commit}) {
    AccountFixture fixture;
    const std::string account = fixture.new_account();
    for (int index = 0; index < 3; ++index) fixture.accounts->record(fixture.call_of(account));
    fixture.store.fail(when);
    CHECK_THROWS_AS(fixture.accounts->flush(), sql::Failure);
    fixture.accounts->record(fixture.call_of(account));
    CHECK_THROWS_AS(fixture.accounts->flush(), sql::Failure);
    fixture.store.fail(FailingStore::FailAt::none);
    fixture.accounts->flush();
    CHECK(fixture.records() == 4);
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

TEST_CASE("records of a deleted account in a failed flush are dropped, too") {
  AccountFixture fixture;
  const std::string account = fixture.new_account();
  fixture.accounts->record(fixture.call_of(account));
  fixture.store.fail(FailingStore::FailAt::before_commit);
  CHECK_THROWS_AS(fixture.accounts->flush(), sql::Failure);
  fixture.store.fail(FailingStore::FailAt::none);
  CHECK(fixture.accounts->delete_account(account).has_value());
  CHECK(fixture.accounts->flush().records_written == 0);
}

TEST_CASE("when the queue is full, a call writes records first, and is not counted while that fails") {
  AccountFixture fixture(":memory:", {}, {.accounts_max = 10, .pending_calls_max = 100});
  const std::string account = fixture.new_account();
  const std::string key = fixture.new_key(account);
  CHECK(fixture.admitted_of(1, key) == 1);
  for (int index = 0; index < 99; ++index) fixture.accounts->record(fixture.call_of(account));
  CHECK(fixture.admitted_of(1, key) == 1);
  CHECK(fixture.records() == 0);
  fixture.accounts->record(fixture.call_of(account));
  fixture.store.fail(FailingStore::FailAt::before_commit);
  for (int round = 0; round < 3; ++round) CHECK_THROWS_AS(fixture.accounts->admit(key), sql::Failure);
  CHECK(fixture.outcome("damaged") == Admission::Outcome::invalid_key);
  fixture.accounts->record(fixture.call_of(account));
  fixture.store.fail(FailingStore::FailAt::none);
  CHECK(fixture.accounts->admit(key).rate->limits[0]->remaining == 17);
  CHECK(fixture.records() == 100);  // the oldest ones; one record is pending, so the queue is not full
}
