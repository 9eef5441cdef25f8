// ADMIN-9: a repeated request with an Idempotency-Key creates nothing twice.

#include "state/accounts/idempotency.h"

#include <doctest/doctest.h>

#include "account_fixture.h"

using namespace tonearm;
using namespace tonearm::state;
using test::AccountFixture;
using test::FailingStore;

TEST_CASE("ADMIN-9: a repeated request creates no second account, and gets the same answer") {
  AccountFixture fixture;
  auto& accounts = *fixture.accounts;
  const auto first = accounts.create_account(Plan::pro, "a-word");
  REQUIRE(first.has_value());
  fixture.clock.advance_ms(5);
  CHECK(accounts.create_account(Plan::pro, "a-word")->account == first->account);
  CHECK(accounts.create_account(Plan::pro, "another-word")->account != first->account);
  CHECK(accounts.list_accounts({}).accounts.size() == 2);
  CHECK(accounts.create_account(Plan::free, "a-word").error().code == ErrorCode::invalid_request);
  CHECK(accounts.list_accounts({}).accounts.size() == 2);
}

TEST_CASE("ADMIN-9: a repeated request shows the same API key, which works and is not stored") {
  AccountFixture fixture;
  auto& accounts = *fixture.accounts;
  const auto account = accounts.create_account(Plan::free)->account;
  const auto first = accounts.create_key(account, "a-word");
  REQUIRE(first.has_value());
  const auto second = accounts.create_key(account, "a-word");
  REQUIRE(second.has_value());
  CHECK(second->key_id == first->key_id);
  CHECK(second->key == first->key);
  CHECK(accounts.show_account(account)->active_keys == 1);
  CHECK(accounts.admit(first->key).outcome == Admission::Outcome::admitted);
  CHECK(accounts.create_key(account, "another-word")->key != first->key);
  CHECK(fixture.number("SELECT COUNT(*) FROM creations WHERE key_sha256 = 'a-word' OR request LIKE '%a-word%'") == 0);
}

TEST_CASE("ADMIN-9: an idempotency key is valid for one request: another account, kind or lifetime is rejected") {
  AccountFixture fixture;
  auto& accounts = *fixture.accounts;
  const auto one = accounts.create_account(Plan::free)->account;
  const auto other = accounts.create_account(Plan::free)->account;
  const auto session = accounts.create_session_key(one, 600, "a-word");
  REQUIRE(session.has_value());
  fixture.clock.advance_ms(60'000);
  CHECK(accounts.create_session_key(one, 600, "a-word")->expires_ms == session->expires_ms);
  CHECK(accounts.create_session_key(one, 601, "a-word").error().code == ErrorCode::invalid_request);
  CHECK(accounts.create_session_key(other, 600, "a-word").error().code == ErrorCode::invalid_request);
  CHECK(accounts.create_key(one, "a-word").error().code == ErrorCode::invalid_request);
  CHECK(accounts.list_keys(one)->size() == 1);
}

TEST_CASE("ADMIN-9: a deleted result is not created again") {
  AccountFixture fixture;
  auto& accounts = *fixture.accounts;
  const auto account = accounts.create_account(Plan::free, "the-account")->account;
  const auto key = accounts.create_key(account, "the-key");
  REQUIRE(accounts.revoke_key(key->key_id).has_value());
  CHECK(accounts.create_key(account, "the-key").error().code == ErrorCode::invalid_request);
  REQUIRE(accounts.delete_account(account).has_value());
  const auto again = accounts.create_account(Plan::free, "the-account");
  // RECORD-6: the idempotency key was deleted with the account.
  REQUIRE(again.has_value());
  CHECK(again->account != account);
}

TEST_CASE("ADMIN-9: repeating the request returns a lost answer") {
  AccountFixture fixture;
  auto& accounts = *fixture.accounts;
  const auto account = accounts.create_account(Plan::free)->account;
  fixture.store.fail(FailingStore::FailAt::after_commit);
  CHECK_THROWS_AS(accounts.create_key(account, "a-word"), sql::Failure);
  fixture.store.fail(FailingStore::FailAt::none);
  const auto key = accounts.create_key(account, "a-word");
  REQUIRE(key.has_value());
  CHECK(accounts.show_account(account)->active_keys == 1);
  CHECK(accounts.admit(key->key).outcome == Admission::Outcome::admitted);
}

TEST_CASE("ADMIN-9: an idempotency key expires after a day") {
  AccountFixture fixture;
  auto& accounts = *fixture.accounts;
  const auto first = accounts.create_account(Plan::free, "a-word");
  fixture.clock.advance_ms(kIdempotencyWindowMs + 1);
  fixture.retain_all();
  CHECK(accounts.create_account(Plan::pro, "a-word")->account != first->account);
}
