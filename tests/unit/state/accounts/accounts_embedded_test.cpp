#include "state/accounts/accounts.h"

#include <doctest/doctest.h>

#include "account_fixture.h"

using namespace tonearm;
using namespace tonearm::state;
using test::AccountFixture;
using test::FailingStore;
using Outcome = Admission::Outcome;

TEST_CASE("a failed flush loses no counts, and a later flush writes them") {
  for (const auto when : {FailingStore::FailAt::before_commit, FailingStore::FailAt::after_commit}) {
    AccountFixture fixture;
    const std::string account = fixture.new_account();
    const std::string key = fixture.new_key(account);
    CHECK(fixture.admitted_of(7, key) == 7);
    fixture.store.fail(when);
    CHECK_THROWS_AS(fixture.accounts->flush(), sql::Failure);
    CHECK(fixture.admitted_of(3, key) == 3);
    fixture.store.fail(FailingStore::FailAt::none);
    CHECK(fixture.accounts->flush().counters_written == 1);
    CHECK(fixture.number("SELECT minute_calls FROM call_counters") == 10);
    CHECK(fixture.accounts->flush().counters_written == 0);
  }
}

TEST_CASE("while the database fails, cached accounts are admitted and others throw") {
  AccountFixture fixture;
  const std::string known = fixture.new_key(fixture.new_account());
  const std::string other = fixture.new_key(fixture.new_account());
  CHECK(fixture.outcome(known) == Outcome::admitted);
  fixture.store.fail(FailingStore::FailAt::before_commit);
  CHECK(fixture.outcome(known) == Outcome::admitted);
  CHECK_THROWS_AS(fixture.outcome(other), sql::Failure);
}

TEST_CASE("flushed counts exist after reopening") {
  const test::StateFile file;
  std::string key;
  {
    AccountFixture fixture(file.name());
    key = fixture.new_key(fixture.new_account(Plan::pro));
    CHECK(fixture.admitted_of(45, key) == 45);
    CHECK(fixture.accounts->flush().counters_written == 1);
  }
  AccountFixture fixture(file.name());
  CHECK(fixture.admitted_of(45, key) == 15);
}

TEST_CASE("counts of many accounts are written in batches") {
  AccountFixture fixture;
  std::vector<std::string> keys;
  keys.reserve(600);
  std::vector<std::string> accounts;
  for (int index = 0; index < 600; ++index) {
    accounts.push_back(fixture.new_account());
    keys.push_back(fixture.new_key(accounts.back()));
  }
  for (const std::string& key : keys) CHECK(fixture.admitted_of(1, key) == 1);
  fixture.store.fail(FailingStore::FailAt::before_commit, 1);
  CHECK_THROWS_AS(fixture.accounts->flush(), sql::Failure);
  fixture.store.fail(FailingStore::FailAt::none);
  CHECK(fixture.number("SELECT COUNT(*) FROM call_counters") == 100);
  // The oldest ones.
  for (std::size_t index = 0; index < 100; ++index) {
    CHECK(fixture.number("SELECT COUNT(*) FROM call_counters WHERE account = '" + accounts[index] + "'") == 1);
  }
  CHECK(fixture.accounts->flush().counters_written == 500);
  CHECK(fixture.number("SELECT SUM(minute_calls) FROM call_counters") == 600);
}

// LIMIT-9
TEST_CASE("counts and records pending for half a second are written by the next call without a flush") {
  AccountFixture fixture;
  const std::string account = fixture.new_account();
  const std::string key = fixture.new_key(account);
  const std::string other = fixture.new_key(fixture.new_account(Plan::unlimited));
  CHECK(fixture.admitted_of(3, key) == 3);
  fixture.accounts->record(fixture.call_of(account));
  fixture.clock.advance_ms(499);
  CHECK(fixture.admitted_of(1, other) == 1);
  CHECK(fixture.records() == 0);
  fixture.clock.advance_ms(1);
  CHECK(fixture.admitted_of(1, other) == 1);
  CHECK(fixture.records() == 1);
  CHECK(fixture.number("SELECT minute_calls FROM call_counters") == 3);
}

// LIMIT-9
TEST_CASE("if flushes cannot keep up, calls write enough to keep the queue short") {
  AccountFixture fixture;
  const std::string account = fixture.new_account(Plan::unlimited);
  const std::string key = fixture.new_key(account);
  for (int call = 0; call < 20'000; ++call) {
    CHECK(fixture.outcome(key) == Outcome::admitted);
    fixture.accounts->record(fixture.call_of(account));
  }
  CHECK(fixture.records() > 20'000 - 2'600);
}

TEST_CASE("a call is admitted even if it cannot write the pending records") {
  AccountFixture fixture;
  const std::string account = fixture.new_account(Plan::unlimited);
  const std::string key = fixture.new_key(account);
  CHECK(fixture.outcome(key) == Outcome::admitted);
  fixture.accounts->record(fixture.call_of(account));
  fixture.clock.advance_ms(600);
  fixture.store.fail(FailingStore::FailAt::before_commit);
  for (int call = 0; call < 3; ++call) CHECK(fixture.outcome(key) == Outcome::admitted);
  fixture.store.fail(FailingStore::FailAt::none);
  CHECK(fixture.accounts->flush().records_written == 1);
}

TEST_CASE("try_admit admits cached accounts, and counts the call") {
  AccountFixture fixture;
  const std::string key = fixture.new_key(fixture.new_account());
  auto& accounts = *fixture.accounts;
  CHECK_FALSE(accounts.try_admit(key, Counting::counted));  // the store must be read first
  CHECK(accounts.try_admit("no key", Counting::counted)->outcome == Outcome::invalid_key);
  CHECK(fixture.outcome(key) == Outcome::admitted);
  fixture.store.fail(FailingStore::FailAt::before_commit);
  const auto admission = accounts.try_admit(key, Counting::counted);
  REQUIRE(admission);
  CHECK(admission->outcome == Outcome::admitted);
  fixture.store.fail(FailingStore::FailAt::none);
  accounts.flush();
  CHECK(fixture.number("SELECT minute_calls FROM call_counters") == 2);
}

// RECORD-7, RECORD-9
TEST_CASE("a call is counted once if the disk has space again when its record is written a second time") {
  for (const bool is_low_at_first : {true, false}) {
    CAPTURE(is_low_at_first);
    AccountFixture fixture;
    const std::string account = fixture.new_account(Plan::unlimited);
    fixture.is_low_on_space = is_low_at_first;
    fixture.accounts->record(fixture.call_of(account));
    fixture.store.fail(FailingStore::FailAt::after_commit);
    CHECK_THROWS_AS(fixture.accounts->flush(), sql::Failure);
    fixture.is_low_on_space = !is_low_at_first;
    fixture.store.fail(FailingStore::FailAt::none);
    fixture.accounts->flush();
    CHECK(fixture.accounts->usage(account)->at(0).calls == 1);
    CHECK(fixture.accounts->calls(account, 10)->size() == 1);

    // Later calls follow the space there is.
    fixture.accounts->record(fixture.call_of(account));
    fixture.accounts->flush();
    const auto calls = fixture.accounts->calls(account, 10).value();
    REQUIRE(calls.size() == 2);
    CHECK_FALSE(calls[0].period_s.has_value());
    CHECK(calls[1].period_s == 86'400);
  }
}
