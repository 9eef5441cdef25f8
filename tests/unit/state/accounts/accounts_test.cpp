#include "state/accounts/accounts.h"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "account_fixture.h"
#include "domain/api_key.h"

using namespace tonearm;
using namespace tonearm::state;
using test::AccountFixture;
using test::FailingStore;
using Outcome = Admission::Outcome;

TEST_CASE("an account is created, shown, listed, moved to another plan and deleted") {
  AccountFixture fixture;
  auto& accounts = *fixture.accounts;
  const AccountInfo free = accounts.create_account(Plan::free).value();
  fixture.clock.advance_ms(5);
  const AccountInfo pro = accounts.create_account(Plan::pro).value();
  CHECK(parse_account_id(free.account).has_value());
  CHECK(free.account != pro.account);
  CHECK(accounts.show_account(pro.account)->plan == Plan::pro);
  CHECK(accounts.show_account(pro.account)->created_ms == test::FakeClock::kStartMs + 5);
  REQUIRE(accounts.list_accounts({}).accounts.size() == 2);
  CHECK(accounts.list_accounts({}).accounts[0].account == free.account);
  CHECK(accounts.set_plan(free.account, Plan::unlimited)->plan == Plan::unlimited);
  CHECK(accounts.show_account(free.account)->plan == Plan::unlimited);
  CHECK(accounts.delete_account(free.account).has_value());
  CHECK(accounts.list_accounts({}).accounts.size() == 1);
  CHECK(accounts.show_account(free.account).error().code == ErrorCode::not_found);
}

// ADMIN-10
TEST_CASE("accounts are listed in pages, oldest first, and none is skipped when another is deleted") {
  AccountFixture fixture;
  auto& accounts = *fixture.accounts;
  std::vector<std::string> made;
  for (int count = 0; count < 7; ++count) {
    made.push_back(fixture.new_account());
    if (count % 2 == 0) fixture.clock.advance_ms(1);  // some have the same creation time
  }
  const auto listed = [&](const std::string& deleted) {
    std::vector<std::string> ids;
    state::AccountsQuery wanted{2, {}};
    for (bool more = true; more; more = wanted.after.has_value()) {
      const AccountsPage page = accounts.list_accounts(wanted);
      CHECK(page.accounts.size() <= 2);
      for (const AccountInfo& info : page.accounts) ids.push_back(info.account);
      wanted.after = page.after;
      if (ids.size() == 2 && !deleted.empty()) CHECK(accounts.delete_account(ids.back()).has_value());
    }
    return ids;
  };
  const auto all = listed({});
  CHECK(std::set<std::string>(all.begin(), all.end()) == std::set<std::string>(made.begin(), made.end()));
  CHECK(all.size() == made.size());
  CHECK(all.front() == made.front());
  CHECK(accounts.list_accounts({2, {}}).total == 7);
  CHECK_FALSE(accounts.list_accounts({7, {}}).after);
  CHECK(listed(all[1]) == all);  // deletes the last one of the first page before the second is read
  CHECK(accounts.list_accounts({2, {}}).total == 6);
}

TEST_CASE("unknown accounts and keys are not found, whatever their ids look like") {
  AccountFixture fixture;
  auto& accounts = *fixture.accounts;
  for (const auto* account : {"acc_aebagbafaydqq", "", "acc_", "nonsense", "acc_' OR 1=1 --"}) {
    CAPTURE(account);
    CHECK(accounts.show_account(account).error().code == ErrorCode::not_found);
    CHECK(accounts.set_plan(account, Plan::pro).error().code == ErrorCode::not_found);
    CHECK(accounts.delete_account(account).error().code == ErrorCode::not_found);
    CHECK(accounts.create_key(account).error().code == ErrorCode::not_found);
    CHECK(accounts.create_session_key(account, 60).error().code == ErrorCode::not_found);
    CHECK(accounts.list_keys(account).error().code == ErrorCode::not_found);
    CHECK(accounts.calls(account, 10).error().code == ErrorCode::not_found);
    CHECK(accounts.usage(account).error().code == ErrorCode::not_found);
  }
  for (const auto* key : {"key_aebagbafaydqqcikbmga2", "ses_aebagbafaydqqcikbmga2", "", "key_", "nonsense"}) {
    CHECK(accounts.revoke_key(key).error().code == ErrorCode::not_found);
  }
}

// KEY-4
TEST_CASE("a key admits its account, and the database never stores it") {
  AccountFixture fixture;
  const std::string account = fixture.new_account();
  const NewKey made = fixture.accounts->create_key(account).value();
  const Admission admission = fixture.accounts->admit(made.key);
  CHECK(admission.outcome == Outcome::admitted);
  CHECK(admission.account == account);
  CHECK(admission.key_id == made.key_id);
  CHECK(admission.plan == Plan::free);
  CHECK(admission.now_ms == test::FakeClock::kStartMs);
  CHECK_FALSE(admission.first_party);
  REQUIRE(admission.rate.has_value());
  CHECK(admission.rate->limits[0]->remaining == 19);
  CHECK(fixture.number("SELECT COUNT(*) FROM api_keys WHERE key_sha256 LIKE '%tonearm%'") == 0);
  CHECK(fixture.accounts->list_keys(account)->at(0).key_id == made.key_id);
}

TEST_CASE("an account has five active keys, and a sixth only after one is revoked") {
  AccountFixture fixture;
  const std::string account = fixture.new_account();
  std::string last;
  for (int index = 0; index < 5; ++index) last = fixture.accounts->create_key(account)->key_id;
  CHECK(fixture.accounts->show_account(account)->active_keys == 5);
  const auto sixth = fixture.accounts->create_key(account);
  REQUIRE(sixth.has_error());
  CHECK(sixth.error().code == ErrorCode::invalid_request);
  CHECK(sixth.error().message.find("5 active keys") != std::string::npos);
  CHECK(fixture.accounts->revoke_key(last).has_value());
  CHECK(fixture.accounts->show_account(account)->active_keys == 4);
  CHECK(fixture.accounts->create_key(account).has_value());
  CHECK(fixture.accounts->list_keys(account)->size() == 6);
}

TEST_CASE("a revoked key is rejected at the very next call, and other keys stay valid") {
  AccountFixture fixture;
  const std::string account = fixture.new_account();
  const NewKey revoked = fixture.accounts->create_key(account).value();
  const std::string other = fixture.new_key(account);
  CHECK(fixture.outcome(revoked.key) == Outcome::admitted);
  CHECK(fixture.accounts->revoke_key(revoked.key_id).has_value());
  CHECK(fixture.outcome(revoked.key) == Outcome::invalid_key);
  CHECK(fixture.outcome(other) == Outcome::admitted);
  const auto first_time = fixture.accounts->list_keys(account)->at(0).revoked_ms;
  fixture.clock.advance_ms(1'000);
  CHECK(fixture.accounts->revoke_key(revoked.key_id).has_value());
  CHECK(fixture.accounts->list_keys(account)->at(0).revoked_ms == first_time);
}

TEST_CASE("a key of a deleted account is rejected at the very next call") {
  AccountFixture fixture;
  const std::string account = fixture.new_account();
  const std::string key = fixture.new_key(account);
  const std::string session = fixture.accounts->create_session_key(account, 60)->key;
  CHECK(fixture.outcome(key) == Outcome::admitted);
  CHECK(fixture.accounts->delete_account(account).has_value());
  CHECK(fixture.outcome(key) == Outcome::invalid_key);
  CHECK(fixture.outcome(session) == Outcome::invalid_key);
  CHECK(fixture.accounts->delete_account(account).error().code == ErrorCode::not_found);
}

TEST_CASE("calls with invalid keys never count") {
  AccountFixture fixture;
  const std::string account = fixture.new_account();
  const std::string key = fixture.new_key(account);
  const NewKey revoked = fixture.accounts->create_key(account).value();
  CHECK(fixture.accounts->revoke_key(revoked.key_id).has_value());
  // Well formed, of this account and under this secret, but never issued.
  AccountFixture twin;
  const std::string twin_account = twin.new_account();
  REQUIRE(twin_account == account);
  twin.new_key(account);
  twin.new_key(account);
  const std::string unknown = twin.new_key(account);
  std::string damaged = key;
  damaged.back() = damaged.back() == '0' ? '1' : '0';
  for (int round = 0; round < 50; ++round) {
    CHECK(fixture.outcome(revoked.key) == Outcome::invalid_key);
    CHECK(fixture.outcome(unknown) == Outcome::invalid_key);
    CHECK(fixture.outcome(damaged) == Outcome::invalid_key);
    CHECK(fixture.outcome("") == Outcome::invalid_key);
  }
  CHECK(fixture.admitted_of(30, key) == 20);
}

TEST_CASE("limits apply to all keys of an account together, and refused calls do not count") {
  AccountFixture fixture;
  const std::string account = fixture.new_account();
  const std::string one = fixture.new_key(account);
  const std::string two = fixture.new_key(account);
  CHECK(fixture.admitted_of(12, one) == 12);
  CHECK(fixture.admitted_of(12, two) == 8);
  const Admission refused = fixture.accounts->admit(one);
  CHECK(refused.outcome == Outcome::refused);
  CHECK(refused.account == account);
  REQUIRE(refused.rate.has_value());
  CHECK(refused.rate->exceeded == Window::minute);
  CHECK(refused.rate->limits[1]->remaining == 280);
  fixture.clock.advance_ms(60'000);
  CHECK(fixture.admitted_of(25, two) == 20);
}

TEST_CASE("a change of plan keeps the counts and applies to the next call") {
  AccountFixture fixture;
  const std::string account = fixture.new_account();
  const std::string key = fixture.new_key(account);
  CHECK(fixture.admitted_of(30, key) == 20);
  CHECK(fixture.accounts->set_plan(account, Plan::pro).has_value());
  CHECK(fixture.admitted_of(100, key) == 40);
  CHECK(fixture.accounts->set_plan(account, Plan::free).has_value());
  CHECK(fixture.admitted_of(1, key) == 0);
  CHECK(fixture.accounts->set_plan(account, Plan::unlimited).has_value());
  CHECK(fixture.admitted_of(500, key) == 500);
  CHECK_FALSE(fixture.accounts->admit(key).rate.has_value());
}

TEST_CASE("unlimited accounts and session keys write no counter") {
  AccountFixture fixture;
  const std::string unlimited = fixture.new_account(Plan::unlimited);
  const std::string free = fixture.new_account(Plan::free);
  const NewKey session = fixture.accounts->create_session_key(free, 3'600).value();
  const std::string key = fixture.new_key(unlimited);
  CHECK(fixture.admitted_of(100, key) == 100);
  CHECK(fixture.admitted_of(100, session.key) == 100);
  const Admission admission = fixture.accounts->admit(session.key);
  CHECK(admission.first_party);
  CHECK(admission.account == free);
  CHECK_FALSE(admission.rate.has_value());
  CHECK(fixture.accounts->flush().counters_written == 0);
  CHECK(fixture.number("SELECT COUNT(*) FROM call_counters") == 0);
}

TEST_CASE("a session key is not one of the five, and ends by expiry, revocation, or deletion of the account") {
  AccountFixture fixture;
  const std::string account = fixture.new_account();
  const NewKey timed = fixture.accounts->create_session_key(account, 10).value();
  const NewKey revoked = fixture.accounts->create_session_key(account, 43'200).value();
  CHECK(timed.key_id.substr(0, 4) == "ses_");
  CHECK(timed.expires_ms == test::FakeClock::kStartMs + 10'000);
  for (int index = 0; index < 5; ++index) CHECK(fixture.accounts->create_key(account).has_value());
  CHECK(fixture.accounts->create_session_key(account, 1).has_value());
  CHECK(fixture.accounts->show_account(account)->active_keys == 5);
  CHECK(fixture.outcome(revoked.key) == Outcome::admitted);
  CHECK(fixture.accounts->revoke_key(revoked.key_id).has_value());
  CHECK(fixture.outcome(revoked.key) == Outcome::invalid_key);
  fixture.clock.advance_ms(9'999);
  CHECK(fixture.outcome(timed.key) == Outcome::admitted);
  fixture.clock.advance_ms(1);
  CHECK(fixture.outcome(timed.key) == Outcome::invalid_key);
}

TEST_CASE("a session key lasts from one second to twelve hours") {
  AccountFixture fixture;
  const std::string account = fixture.new_account();
  for (const std::int64_t ttl : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{43'201}, INT64_MAX, INT64_MIN}) {
    CAPTURE(ttl);
    CHECK(fixture.accounts->create_session_key(account, ttl).error().code == ErrorCode::invalid_request);
  }
  CHECK(fixture.accounts->create_session_key(account, 1).has_value());
  CHECK(fixture.accounts->create_session_key(account, 43'200).has_value());
}

// ADMIN-4
TEST_CASE("everything that was answered exists after reopening, and counts do after a flush") {
  const test::StateFile file;
  std::string account;
  std::string key;
  std::string revoked;
  {
    AccountFixture fixture(file.name());
    account = fixture.new_account(Plan::pro);
    key = fixture.new_key(account);
    const NewKey other = fixture.accounts->create_key(account).value();
    revoked = other.key;
    CHECK(fixture.accounts->revoke_key(other.key_id).has_value());
    CHECK(fixture.admitted_of(45, key) == 45);
    fixture.accounts->record(fixture.call_of(account));
    CHECK(fixture.accounts->flush().records_written == 1);
  }
  AccountFixture fixture(file.name());
  CHECK(fixture.accounts->show_account(account)->plan == Plan::pro);
  CHECK(fixture.outcome(revoked) == Outcome::invalid_key);
  CHECK(fixture.admitted_of(45, key) == 15);
  CHECK(fixture.accounts->calls(account, 10)->size() == 1);
}

// KEY-12
TEST_CASE("the key secret is generated once, unless one is given") {
  const test::StateFile file;
  std::string key;
  {
    AccountFixture fixture(file.name());
    key = fixture.new_key(fixture.new_account());
  }
  {
    AccountFixture fixture(file.name());
    CHECK(fixture.outcome(key) == Outcome::admitted);
  }
  const std::string given = "a secret of the deployment";
  AccountFixture fixture(file.name(), given);
  CHECK(fixture.outcome(key) == Outcome::invalid_key);
  CHECK(fixture.number("SELECT COUNT(*) FROM state_meta WHERE value LIKE '%deployment%'") == 0);
  const std::string own_key = fixture.new_key(fixture.new_account());
  CHECK(verify_api_key(fixture.hashing, given, own_key).has_value());
}

TEST_CASE("an explicit secret is not stored in a new state") {
  AccountFixture fixture(":memory:", "given");
  CHECK(fixture.number("SELECT COUNT(*) FROM state_meta WHERE name = 'key_secret'") == 0);
}

TEST_CASE("an operator's write takes effect even if its answer is lost") {
  AccountFixture fixture;
  const std::string account = fixture.new_account();
  const NewKey key = fixture.accounts->create_key(account).value();
  CHECK(fixture.outcome(key.key) == Outcome::admitted);
  fixture.store.fail(FailingStore::FailAt::before_commit);
  CHECK_THROWS_AS(fixture.accounts->revoke_key(key.key_id), sql::Failure);
  fixture.store.fail(FailingStore::FailAt::none);
  CHECK(fixture.outcome(key.key) == Outcome::admitted);
  fixture.store.fail(FailingStore::FailAt::after_commit);
  CHECK_THROWS_AS(fixture.accounts->revoke_key(key.key_id), sql::Failure);
  fixture.store.fail(FailingStore::FailAt::none);
  CHECK(fixture.outcome(key.key) == Outcome::invalid_key);
}

// LIMIT-14
TEST_CASE("an operator reads and resets the counters of an account's windows") {
  AccountFixture fixture;
  const std::string account = fixture.new_account();
  const std::string key = fixture.new_key(account);
  CHECK(fixture.accounts->limits(account)->windows[0].calls == 0);
  CHECK(fixture.admitted_of(25, key) == 20);
  fixture.clock.advance_ms(60'000);
  CHECK(fixture.admitted_of(4, key) == 4);
  const AccountLimits limits = fixture.accounts->limits(account).value();
  CHECK(limits.account == account);
  CHECK(limits.plan == Plan::free);
  CHECK(limits.windows[0].window == Window::minute);
  CHECK(limits.windows[0].quota == 20);
  CHECK(limits.windows[0].calls == 4);
  CHECK(limits.windows[0].began_ms == test::FakeClock::kStartMs + 60'000);
  CHECK(limits.windows[0].resets_ms == test::FakeClock::kStartMs + 120'000);
  CHECK(limits.windows[1].quota == 300);
  CHECK(limits.windows[1].calls == 24);
  CHECK_FALSE(limits.windows[2].quota.has_value());
  CHECK(limits.windows[2].calls == 24);
  const AccountLimits reset = fixture.accounts->reset_limits(account).value();
  for (const auto& counted : reset.windows) CHECK(counted.calls == 0);
  CHECK(fixture.admitted_of(25, key) == 20);
  CHECK(fixture.accounts->limits(account)->windows[2].calls == 20);
  CHECK(fixture.accounts->limits("acc_aebagbafaydqq").error().code == ErrorCode::not_found);
  CHECK(fixture.accounts->reset_limits("nonsense").error().code == ErrorCode::not_found);
}

// LIMIT-13
TEST_CASE("a clock that jumps 400 days ahead for one call locks no account out") {
  AccountFixture fixture;
  const std::string account = fixture.new_account();
  const std::string key = fixture.new_key(account);
  CHECK(fixture.admitted_of(5, key) == 5);
  fixture.accounts->flush();
  const std::int64_t jump_ms = 400 * std::int64_t{86'400'000};
  fixture.clock.advance_ms(jump_ms);
  CHECK(fixture.admitted_of(25, key) == 20);
  fixture.accounts->flush();
  fixture.clock.advance_ms(-jump_ms);
  CHECK(fixture.accounts->limits(account)->windows[0].calls == 0);
  CHECK(fixture.admitted_of(25, key) == 20);
  CHECK(fixture.accounts->admit(key).rate->limits[0]->resets_ms == test::FakeClock::kStartMs + 60'000);
}
