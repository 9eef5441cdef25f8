#include "state/calls/call_aggregates.h"

#include <doctest/doctest.h>

#include "account_fixture.h"

using namespace tonearm;
using namespace tonearm::state;
using test::AccountFixture;
using test::FailingStore;

namespace {

void record(AccountFixture& fixture, const std::string& account, int count, int status = 429,
            const std::string& route = "/v1/search") {
  for (int index = 0; index < count; ++index) {
    CallRecord call = fixture.call_of(account, status);
    call.route = route;
    fixture.accounts->record(call);
  }
}

/// Sets how many records the account's day has already.
void pretend_records(AccountFixture& fixture, const std::string& account, std::int64_t records) {
  fixture.store.transact([&](sql::Transaction& transaction) {
    transaction.execute("UPDATE daily_usage SET records = ?2 WHERE account = ?1", {account, records});
  });
}

std::int64_t counts(AccountFixture& fixture) { return fixture.rows_in(PartitionKind::aggregates); }

}  // namespace

// RECORD-8
TEST_CASE("refused calls are aggregated into one record for each account, key, route and minute") {
  AccountFixture fixture;
  const std::string account = fixture.new_account();
  const std::string other = fixture.new_account();
  record(fixture, account, 1, 200);
  fixture.clock.advance_ms(17'000);
  record(fixture, account, 40);
  record(fixture, account, 3, 429, "/v1/meta");
  record(fixture, other, 2);
  CallRecord by_other_key = fixture.call_of(account, 429);
  by_other_key.key_id = "key_y";
  fixture.accounts->record(by_other_key);
  CHECK(fixture.accounts->flush().records_written == 47);
  record(fixture, account, 60);  // in the same minute, but a later flush
  fixture.clock.advance_ms(43'000);
  record(fixture, account, 5);

  const auto calls = fixture.accounts->calls(account, 10).value();
  REQUIRE(calls.size() == 5);
  CHECK(fixture.records() == 1);
  CHECK(counts(fixture) == 5);
  CHECK(calls[0].at_ms == test::FakeClock::kStartMs + 60'000);
  CHECK(calls[0].count == 5);
  CHECK(calls[1].key_id == "key_y");
  CHECK(calls[1].count == 1);
  CHECK(calls[1].period_s == 60);
  CHECK(calls[2].route == "/v1/meta");
  CHECK(calls[2].count == 3);
  CHECK(calls[3].at_ms == test::FakeClock::kStartMs);
  CHECK(calls[3].key_id == "key_x");
  CHECK(calls[3].method == "GET");
  CHECK(calls[3].status == 429);
  CHECK(calls[3].count == 100);
  CHECK_FALSE(calls[3].result_count.has_value());
  CHECK_FALSE(calls[3].search_text.has_value());
  CHECK(calls[4].status == 200);
  CHECK(calls[4].count == 1);
  CHECK_FALSE(calls[4].period_s.has_value());
  CHECK(fixture.accounts->calls(account, 2)->size() == 2);
  CHECK(fixture.accounts->usage(account)->at(0).calls == 110);
  CHECK(fixture.accounts->usage(account)->at(0).succeeded == 1);
}

TEST_CASE("a hundred thousand refused calls are one pending record and one row") {
  AccountFixture fixture(":memory:", {}, {.accounts_max = 10, .pending_calls_max = 2});
  const std::string account = fixture.new_account();
  const std::string key = fixture.new_key(account);
  record(fixture, account, 100'000);
  CHECK(fixture.outcome(key) == Admission::Outcome::admitted);
  CHECK(counts(fixture) == 0);  // too few records are pending for a call to write them
  CHECK(fixture.accounts->flush().records_written == 100'000);
  CHECK(counts(fixture) == 1);
  CHECK(fixture.accounts->usage(account)->at(0).calls == 100'000);
}

// RECORD-7
TEST_CASE("an aggregated call is counted once, whatever fails") {
  for (const auto when : {FailingStore::FailAt::before_commit, FailingStore::FailAt::after_commit}) {
    AccountFixture fixture;
    const std::string account = fixture.new_account();
    record(fixture, account, 3);
    fixture.store.fail(when);
    CHECK_THROWS_AS(fixture.accounts->flush(), sql::Failure);
    record(fixture, account, 2);
    CHECK_THROWS_AS(fixture.accounts->flush(), sql::Failure);
    fixture.store.fail(FailingStore::FailAt::none);
    fixture.accounts->flush();
    CHECK(counts(fixture) == 1);
    CHECK(fixture.accounts->calls(account, 10)->at(0).count == 5);
    CHECK(fixture.accounts->usage(account)->at(0).calls == 5);
  }
}

TEST_CASE("aggregated records of several runs of a server are shown as one") {
  const test::StateFile file;
  std::string account;
  for (int run = 0; run < 3; ++run) {
    AccountFixture fixture(file.name());
    if (run == 0) account = fixture.new_account();
    record(fixture, account, 7);
    fixture.accounts->flush();
  }
  AccountFixture fixture(file.name());
  const auto calls = fixture.accounts->calls(account, 10).value();
  REQUIRE(calls.size() == 1);
  CHECK(calls[0].count == 21);
}

// RECORD-8
TEST_CASE("beyond the bound of a day, an account's calls are aggregated by minute, then by day") {
  AccountFixture fixture;
  const std::string account = fixture.new_account(Plan::unlimited);
  const std::string other = fixture.new_account(Plan::unlimited);
  record(fixture, account, 1, 200);
  fixture.accounts->flush();
  pretend_records(fixture, account, kSingleRecordsMax - 2);
  record(fixture, account, 5, 200);
  record(fixture, account, 2, 404);
  record(fixture, other, 3, 200);
  CHECK(fixture.accounts->flush().records_written == 10);
  CHECK(fixture.records() == 1 + 2 + 3);
  CHECK(counts(fixture) == 2);
  auto calls = fixture.accounts->calls(account, 10).value();
  REQUIRE(calls.size() == 5);
  CHECK(calls[0].status == 404);
  CHECK(calls[0].count == 2);
  CHECK(calls[1].status == 200);
  CHECK(calls[1].count == 3);
  CHECK(calls[1].period_s == 60);

  pretend_records(fixture, account, kRecordsMax);
  for (int minute = 0; minute < 3; ++minute) {
    fixture.clock.advance_ms(60'000);
    record(fixture, account, 4, 200);
    record(fixture, account, 4, 429);
    fixture.accounts->flush();
  }
  CHECK(counts(fixture) == 4);
  calls = fixture.accounts->calls(account, 10).value();
  REQUIRE(calls.size() == 7);
  CHECK(calls[6].count == 12);
  CHECK(calls[6].period_s == 86'400);
  CHECK(calls[6].at_ms == test::FakeClock::kStartMs - kDayMs / 2);
  CHECK(fixture.accounts->usage(account)->at(0).calls == 1 + 7 + 24);

  fixture.clock.advance_ms(kDayMs);  // another day, another bound
  record(fixture, account, 1, 200);
  CHECK_FALSE(fixture.accounts->calls(account, 1)->at(0).period_s.has_value());
}

// RECORD-8
TEST_CASE(
    "once an account's day is full, a hundred thousand calls are one pending record and one row, until the next day") {
  AccountFixture fixture(":memory:", {}, {.accounts_max = 10, .pending_calls_max = 4});
  const std::string account = fixture.new_account(Plan::unlimited);
  const std::string other = fixture.new_account(Plan::unlimited);
  const std::string key = fixture.new_key(account);
  record(fixture, account, 1, 200);
  fixture.accounts->flush();
  pretend_records(fixture, account, kSingleRecordsMax);
  record(fixture, account, 1, 200);
  fixture.accounts->flush();  // finds the day full
  record(fixture, account, 100'000, 200);
  record(fixture, account, 30, 404);
  record(fixture, other, 1, 200);
  CHECK(fixture.outcome(key) == Admission::Outcome::admitted);
  CHECK(fixture.records() == 1);  // too few records are pending for a call to write them
  CHECK(fixture.accounts->flush().records_written == 100'031);
  CHECK(fixture.records() == 2);
  CHECK(counts(fixture) == 2);
  auto calls = fixture.accounts->calls(account, 10).value();
  REQUIRE(calls.size() == 3);
  CHECK(calls[0].count == 30);
  CHECK(calls[0].status == 404);
  CHECK(calls[1].count == 100'001);
  CHECK(fixture.accounts->usage(account)->at(0).calls == 100'032);
  CHECK(fixture.accounts->usage(account)->at(0).succeeded == 100'002);

  fixture.clock.advance_ms(kDayMs);
  record(fixture, account, 3, 200);
  CHECK(fixture.accounts->flush().records_written == 3);
  CHECK(fixture.records() == 5);
  calls = fixture.accounts->calls(account, 1).value();
  CHECK_FALSE(calls[0].period_s.has_value());
}

// RECORD-7, RECORD-8
TEST_CASE("calls queued before and after their day was found full are counted once, as one record of the first") {
  AccountFixture fixture(":memory:", {}, {.accounts_max = 10, .pending_calls_max = 4});
  const std::string account = fixture.new_account(Plan::unlimited);
  const std::string key = fixture.new_key(account);
  record(fixture, account, 1, 200);
  fixture.accounts->flush();
  pretend_records(fixture, account, kSingleRecordsMax);
  fixture.store.fail(FailingStore::FailAt::before_commit);
  record(fixture, account, 1, 200);
  CHECK_THROWS_AS(fixture.accounts->flush(), sql::Failure);
  CallRecord first = fixture.call_of(account, 200);
  first.duration_ms = 77;
  first.route = "/v1/meta";
  fixture.accounts->record(first);
  record(fixture, account, 2, 200, "/v1/meta");
  fixture.store.fail(FailingStore::FailAt::none);
  CHECK(fixture.outcome(key) == Admission::Outcome::admitted);  // writes the failed batch, and finds the day full
  record(fixture, account, 5, 200, "/v1/meta");
  fixture.store.fail(FailingStore::FailAt::after_commit);
  CHECK_THROWS_AS(fixture.accounts->flush(), sql::Failure);
  fixture.store.fail(FailingStore::FailAt::none);
  fixture.accounts->flush();
  const auto calls = fixture.accounts->calls(account, 10).value();
  REQUIRE(calls.size() == 3);
  const auto& shared = calls[0].route == "/v1/meta" ? calls[0] : calls[1];
  CHECK(shared.count == 8);
  CHECK(shared.duration_ms == 77);
  CHECK(fixture.accounts->usage(account)->at(0).calls == 10);
}

// RECORD-7
TEST_CASE("calls of a full day are counted once, whatever fails") {
  for (const auto when : {FailingStore::FailAt::before_commit, FailingStore::FailAt::after_commit}) {
    AccountFixture fixture;
    const std::string account = fixture.new_account(Plan::unlimited);
    record(fixture, account, 1, 200);
    fixture.accounts->flush();
    pretend_records(fixture, account, kSingleRecordsMax);
    record(fixture, account, 1, 200);
    fixture.accounts->flush();
    record(fixture, account, 5, 200);
    fixture.store.fail(when);
    CHECK_THROWS_AS(fixture.accounts->flush(), sql::Failure);
    record(fixture, account, 7, 200);
    CHECK_THROWS_AS(fixture.accounts->flush(), sql::Failure);
    fixture.store.fail(FailingStore::FailAt::none);
    fixture.accounts->flush();
    CHECK(fixture.accounts->calls(account, 10)->at(0).count == 13);
    CHECK(fixture.accounts->usage(account)->at(0).calls == 14);
  }
}

// RECORD-7
TEST_CASE("calls of a failed flush are not counted twice, on either side of a bound") {
  for (const std::int64_t bound : {kSingleRecordsMax, kRecordsMax}) {
    AccountFixture fixture;
    const std::string account = fixture.new_account(Plan::unlimited);
    record(fixture, account, 1, 200);
    fixture.accounts->flush();
    pretend_records(fixture, account, bound - 2);
    record(fixture, account, 6, 200);
    record(fixture, account, 1, 404);
    record(fixture, account, 1, 403);
    fixture.store.fail(FailingStore::FailAt::after_commit);
    CHECK_THROWS_AS(fixture.accounts->flush(), sql::Failure);
    CHECK_THROWS_AS(fixture.accounts->flush(), sql::Failure);
    fixture.store.fail(FailingStore::FailAt::none);
    fixture.accounts->flush();
    std::uint64_t shown = 0;
    for (const CallRecord& call : fixture.accounts->calls(account, 100).value()) shown += call.count;
    CHECK(shown == 9);
    CHECK(fixture.accounts->usage(account)->at(0).calls == 9);
  }
}

// RECORD-3, RECORD-4
TEST_CASE("aggregated records are shown for 400 days and then dropped with their day") {
  AccountFixture fixture;
  const std::string account = fixture.new_account();
  record(fixture, account, 9);
  fixture.accounts->flush();
  fixture.clock.advance_ms(400 * kDayMs - 1);
  while (fixture.retain_step()) continue;
  CHECK(fixture.accounts->calls(account, 1)->size() == 1);
  fixture.clock.advance_ms(1);
  CHECK(fixture.accounts->calls(account, 1)->empty());
  fixture.clock.advance_ms(kDayMs);
  while (fixture.retain_step()) continue;
  CHECK(fixture.partitions() == 0);
}

// RECORD-6
TEST_CASE("deleting an account removes its aggregated records") {
  AccountFixture fixture;
  const std::string account = fixture.new_account();
  record(fixture, account, 9);
  fixture.accounts->flush();
  record(fixture, account, 9);
  CHECK(fixture.accounts->delete_account(account).has_value());
  record(fixture, account, 9);
  fixture.accounts->flush();
  CHECK(counts(fixture) == 0);
}
