// Retention by partitions (RECORD-4) and removal of accounts (RECORD-6), with a manual clock.

#include <doctest/doctest.h>

#include <optional>

#include "account_fixture.h"
#include "state/call_partitions.h"

using namespace tonearm;
using namespace tonearm::state;
using test::AccountFixture;
using test::FailingStore;

namespace {

// The fake clock starts at noon.
constexpr std::int64_t kHalfDayMs = kDayMs / 2;

void record_many(AccountFixture& fixture, const std::string& account, int count) {
  for (int index = 0; index < count; ++index) fixture.accounts->record(fixture.call_of(account));
  fixture.accounts->flush();
}

/// Counts the rows of an account in all tables.
std::int64_t rows_of(AccountFixture& fixture, const std::string& account) {
  std::int64_t rows =
      fixture.rows_in(PartitionKind::records, account) + fixture.rows_in(PartitionKind::search_texts, account);
  for (const auto* table : {"accounts", "api_keys", "call_counters", "daily_usage", "removed_accounts", "collections",
                            "collection_items", "collection_creations", "collection_changes", "license_checks"}) {
    rows += fixture.number(std::string("SELECT COUNT(*) FROM ") + table + " WHERE account = '" + account + "'");
  }
  return rows;
}

}  // namespace

TEST_CASE("a search text is shown until it is 90 days old, a record until it is 400, to the millisecond") {
  AccountFixture fixture;
  const std::string account = fixture.new_account();
  record_many(fixture, account, 1);
  const auto shown = [&] { return fixture.accounts->calls(account, 1).value(); };
  fixture.clock.advance_ms(90 * kDayMs - 1);
  fixture.retain_all();
  CHECK(shown().at(0).search_text == "rain");
  fixture.clock.advance_ms(1);
  CHECK_FALSE(shown().at(0).search_text.has_value());
  CHECK(shown().at(0).result_count == 20);
  fixture.clock.advance_ms(310 * kDayMs - 1);
  fixture.retain_all();
  CHECK(shown().size() == 1);
  fixture.clock.advance_ms(1);
  CHECK(shown().empty());
  CHECK(fixture.accounts->usage(account)->at(0).calls == 1);
}

TEST_CASE("partitions are dropped when their whole day is past its term, and the totals stay") {
  AccountFixture fixture;
  const std::string account = fixture.new_account();
  record_many(fixture, account, 2);
  fixture.clock.advance_ms(kDayMs);
  record_many(fixture, account, 1);
  CHECK(fixture.partitions() == 4);
  fixture.clock.advance_ms(89 * kDayMs + kHalfDayMs - 2);  // the last instant of the first day is not yet 90 days ago
  CHECK(fixture.retain_all() == 0);
  fixture.clock.advance_ms(1);
  CHECK(fixture.retain_all() == 1);
  CHECK(fixture.partitions() == 3);
  CHECK(fixture.texts() == 1);
  CHECK(fixture.records() == 3);
  fixture.clock.advance_ms(310 * kDayMs - 1);
  CHECK(fixture.retain_all() == 1);  // the other day's texts
  CHECK(fixture.texts() == 0);
  CHECK(fixture.records() == 3);
  fixture.clock.advance_ms(1);
  CHECK(fixture.retain_all() == 1);
  CHECK(fixture.records() == 1);
  fixture.clock.advance_ms(kDayMs);
  fixture.retain_all();
  CHECK(fixture.partitions() == 0);
  CHECK(fixture.accounts->usage(account)->size() == 2);
}

TEST_CASE("a large partition loses rows in steps of 500 before it is dropped, despite restarts and failures" *
          doctest::test_suite("long")) {
  const test::StateFile file;
  test::FakeClock clock;
  {
    AccountFixture fixture(file.name());
    record_many(fixture, fixture.new_account(), 5'200);
    clock = fixture.clock;
  }
  clock.advance_ms(91 * kDayMs);
  for (const std::int64_t left : {4'700, 4'200, 3'700}) {
    AccountFixture fixture(file.name());
    fixture.clock = clock;
    fixture.store.fail(FailingStore::FailAt::before_commit);
    CHECK_THROWS_AS(fixture.retain_step(), sql::Failure);
    fixture.store.fail(FailingStore::FailAt::none);
    CHECK(fixture.texts() == left + 500);
    CHECK(fixture.retain_step());
    CHECK(fixture.texts() == left);
    CHECK(fixture.records() == 5'200);
  }
  AccountFixture fixture(file.name());
  fixture.clock = clock;
  fixture.store.fail(FailingStore::FailAt::after_commit, 1);
  CHECK_THROWS_AS(fixture.retain_step(), sql::Failure);
  fixture.store.fail(FailingStore::FailAt::none);
  CHECK(fixture.texts() == 0);
  CHECK(fixture.partitions() == 2);  // one of them was ended and not dropped
  CHECK(fixture.retain_step());
  CHECK(fixture.partitions() == 1);
  CHECK_FALSE(fixture.retain_step());
  fixture.clock.advance_ms(400 * kDayMs);
  CHECK(fixture.retain_all() == 4);
  CHECK(fixture.partitions() == 0);
}

TEST_CASE("a record that was pending longer than its term is written and removed again") {
  AccountFixture fixture;
  const std::string account = fixture.new_account();
  fixture.accounts->record(fixture.call_of(account));
  fixture.clock.advance_ms(500 * kDayMs);
  fixture.accounts->flush();
  CHECK(fixture.accounts->calls(account, 1)->empty());
  fixture.retain_all();
  CHECK(fixture.partitions() == 0);
}

TEST_CASE("session keys are removed with the records of their calls, other keys stay") {
  AccountFixture fixture;
  const std::string account = fixture.new_account();
  CHECK(fixture.accounts->create_session_key(account, 60).has_value());
  CHECK(fixture.accounts->create_key(account).has_value());
  fixture.clock.advance_ms(400 * kDayMs + 59'999);
  fixture.retain_all();
  CHECK(fixture.accounts->list_keys(account)->size() == 2);
  fixture.clock.advance_ms(1);
  fixture.retain_all();
  REQUIRE(fixture.accounts->list_keys(account)->size() == 1);
  CHECK_FALSE(fixture.accounts->list_keys(account)->at(0).session);
}

TEST_CASE("deleting a small account leaves no rows, not even of calls that were still running") {
  AccountFixture fixture;
  const std::string account = fixture.new_account();
  const std::string other = fixture.new_account();
  const std::string key = fixture.new_key(account);
  CHECK(fixture.accounts->create_session_key(account, 60).has_value());
  CHECK(fixture.admitted_of(3, key) == 3);
  record_many(fixture, account, 1);
  fixture.clock.advance_ms(kDayMs);
  record_many(fixture, account, 1);
  CHECK(fixture.admitted_of(3, key) == 3);
  fixture.accounts->record(fixture.call_of(account));
  fixture.accounts->record(fixture.call_of(other));
  CHECK(fixture.accounts->delete_account(account).has_value());
  fixture.accounts->record(fixture.call_of(account));
  CHECK(fixture.accounts->flush().records_written == 1);
  CHECK(rows_of(fixture, account) == 0);
  CHECK(fixture.accounts->calls(other, 10)->size() == 1);
  CHECK_FALSE(fixture.accounts->delete_account(account).has_value());
}

TEST_CASE("a large account is deleted at once and its rows are removed in small steps, despite restarts and failures" *
          doctest::test_suite("long")) {
  const test::StateFile file;
  std::string account;
  std::string other;
  std::string key;
  std::string key_id;
  {
    AccountFixture fixture(file.name());
    account = fixture.new_account();
    other = fixture.new_account();
    const NewKey made = fixture.accounts->create_key(account).value();
    key = made.key;
    key_id = made.key_id;
    for (int session = 0; session < 700; ++session)
      CHECK(fixture.accounts->create_session_key(account, 60).has_value());
    for (int day = 0; day < 70; ++day) {
      record_many(fixture, account, day == 3 ? 1'100 : 3);
      record_many(fixture, other, 1);
      fixture.clock.advance_ms(kDayMs);
    }
    CHECK(fixture.accounts->delete_account(account).has_value());
    CHECK(fixture.outcome(key) == Admission::Outcome::invalid_key);
    CHECK_FALSE(fixture.accounts->calls(account, 10).has_value());
    CHECK_FALSE(fixture.accounts->usage(account).has_value());
    CHECK_FALSE(fixture.accounts->list_keys(account).has_value());
    CHECK_FALSE(fixture.accounts->revoke_key(key_id).has_value());
    CHECK_FALSE(fixture.accounts->delete_account(account).has_value());
    CHECK(fixture.accounts->list_accounts({}).accounts.size() == 1);
  }
  std::int64_t left = 0;
  int steps = 0;
  for (bool more = true; more; ++steps) {
    AccountFixture fixture(file.name());
    const std::int64_t before = rows_of(fixture, account);
    fixture.store.fail(steps % 2 == 0 ? FailingStore::FailAt::before_commit : FailingStore::FailAt::after_commit);
    CHECK_THROWS_AS(fixture.retain_step(), sql::Failure);
    fixture.store.fail(FailingStore::FailAt::none);
    if (steps % 2 == 0) CHECK(rows_of(fixture, account) == before);
    more = fixture.retain_step();
    left = rows_of(fixture, account);
    CHECK(before - left <= (steps % 2 == 0 ? 501 : 1'002));  // includes one row of totals for each day
    CHECK(fixture.outcome(key) == Admission::Outcome::invalid_key);
    REQUIRE(steps < 50);
  }
  CHECK(left == 0);
  CHECK(steps > 3);
  AccountFixture fixture(file.name());
  CHECK(fixture.records() == 70);
  fixture.clock.advance_ms(70 * kDayMs);
  CHECK(fixture.accounts->calls(other, 100)->size() == 70);
}
