#include "state/accounts_embedded.h"

#include <doctest/doctest.h>

#include "account_fixture.h"

using namespace tonearm;
using namespace tonearm::state;
using test::AccountFixture;
using test::FailingStore;
using Outcome = Admission::Outcome;

TEST_CASE("a flush that fails loses no count and writes it later") {
  for (const auto fault : {FailingStore::Fault::before_commit, FailingStore::Fault::after_commit}) {
    AccountFixture fixture;
    const std::string account = fixture.new_account();
    const std::string key = fixture.new_key(account);
    CHECK(fixture.admitted_of(7, key) == 7);
    fixture.store.fail(fault);
    CHECK_THROWS_AS(fixture.accounts->flush(), sql::Failure);
    CHECK(fixture.admitted_of(3, key) == 3);
    fixture.store.fail(FailingStore::Fault::none);
    CHECK(fixture.accounts->flush().counters_written == 1);
    CHECK(fixture.number("SELECT minute_calls FROM call_counters") == 10);
    CHECK(fixture.accounts->flush().counters_written == 0);
  }
}

TEST_CASE("while the database fails, accounts in memory are admitted and others are a fault, not a refusal") {
  AccountFixture fixture;
  const std::string known = fixture.new_key(fixture.new_account());
  const std::string other = fixture.new_key(fixture.new_account());
  CHECK(fixture.outcome(known) == Outcome::admitted);
  fixture.store.fail(FailingStore::Fault::before_commit);
  CHECK(fixture.outcome(known) == Outcome::admitted);
  CHECK_THROWS_AS(fixture.outcome(other), sql::Failure);
}

TEST_CASE("counts that were flushed are there after opening again") {
  const test::StateFile file("counts");
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
  for (int index = 0; index < 600; ++index) keys.push_back(fixture.new_key(fixture.new_account()));
  for (const std::string& key : keys) CHECK(fixture.admitted_of(1, key) == 1);
  fixture.store.fail(FailingStore::Fault::before_commit, 1);
  CHECK_THROWS_AS(fixture.accounts->flush(), sql::Failure);
  fixture.store.fail(FailingStore::Fault::none);
  CHECK(fixture.number("SELECT COUNT(*) FROM call_counters") == 100);
  CHECK(fixture.accounts->flush().counters_written == 500);
  CHECK(fixture.number("SELECT SUM(minute_calls) FROM call_counters") == 600);
}
