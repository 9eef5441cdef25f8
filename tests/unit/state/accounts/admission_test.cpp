#include "state/accounts/admission.h"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include "account_fixture.h"

using namespace tonearm;
using namespace tonearm::state;
using test::AccountFixture;

namespace {

Locator locator_number(std::uint8_t number) { return {0, 0, 0, 0, 0, 0, 1, number}; }

constexpr Sha256 kHash{1, 2, 3};

StoredAccount stored_with_key() {
  StoredAccount stored;
  stored.keys.push_back({kHash, "key_x", false, std::nullopt});
  return stored;
}

/// Calls from eight threads at once, and returns how many calls were admitted.
template <class Call>
int admitted_by_threads(int calls_each, const Call& call) {
  std::atomic<int> admitted{0};
  std::vector<std::thread> threads;
  threads.reserve(8);
  for (int thread = 0; thread < 8; ++thread) {
    threads.emplace_back([&] {
      for (int index = 0; index < calls_each; ++index) {
        if (call()) ++admitted;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  return admitted;
}

}  // namespace

TEST_CASE("the cache decides only about accounts that were inserted") {
  test::FakeClock clock;
  AdmissionCache cache(10);
  CHECK_FALSE(cache.admit(locator_number(1), kHash, clock).has_value());
  cache.insert(locator_number(1), stored_with_key());
  CHECK(cache.admit(locator_number(1), kHash, clock)->outcome == Admission::Outcome::admitted);
  CHECK(cache.admit(locator_number(1), Sha256{}, clock)->outcome == Admission::Outcome::invalid_key);
  cache.invalidate(locator_number(1));
  CHECK_FALSE(cache.admit(locator_number(1), kHash, clock).has_value());
}

TEST_CASE("inserting an account again keeps its cached counts") {
  test::FakeClock clock;
  AdmissionCache cache(10);
  cache.insert(locator_number(1), stored_with_key());
  for (int call = 0; call < 15; ++call) cache.admit(locator_number(1), kHash, clock);
  cache.invalidate(locator_number(1));
  cache.insert(locator_number(1), stored_with_key());
  CHECK(cache.admit(locator_number(1), kHash, clock)->rate->limits[0]->remaining == 4);
}

TEST_CASE("MCP-5: an uncounted call checks the key, but is neither counted nor limited") {
  test::FakeClock clock;
  AdmissionCache cache(10);
  cache.insert(locator_number(1), stored_with_key());
  const auto check = [&](const Sha256& hash) {
    return *cache.admit(locator_number(1), hash, Counting::uncounted, clock);
  };
  for (int call = 0; call < 30; ++call) {
    CHECK(check(kHash).outcome == Admission::Outcome::admitted);
    CHECK_FALSE(check(kHash).rate.has_value());
  }
  CHECK(cache.dirty_count() == 0);
  CHECK(check(Sha256{}).outcome == Admission::Outcome::invalid_key);
  CHECK(cache.admit(locator_number(1), kHash, clock)->rate->limits[0]->remaining == 19);
  for (int call = 0; call < 20; ++call) cache.admit(locator_number(1), kHash, clock);
  CHECK(cache.admit(locator_number(1), kHash, clock)->outcome == Admission::Outcome::refused);
  CHECK(check(kHash).outcome == Admission::Outcome::admitted);
}

TEST_CASE("the least recently used accounts are evicted, but none with dirty counts") {
  test::FakeClock clock;
  AdmissionCache cache(4);
  StoredAccount unlimited = stored_with_key();
  unlimited.plan = Plan::unlimited;
  cache.insert(locator_number(0), stored_with_key());
  cache.admit(locator_number(0), kHash, clock);
  for (std::uint8_t number = 1; number < 100; ++number) cache.insert(locator_number(number), unlimited);
  CHECK(cache.account_count() == 4);
  CHECK(cache.admit(locator_number(99), kHash, clock).has_value());
  CHECK_FALSE(cache.admit(locator_number(1), kHash, clock).has_value());
  CHECK(cache.admit(locator_number(0), kHash, clock)->rate->limits[0]->remaining == 18);
  cache.mark_written(cache.dirty_counts(10));
  for (std::uint8_t number = 1; number < 100; ++number) cache.insert(locator_number(number), unlimited);
  CHECK_FALSE(cache.admit(locator_number(0), kHash, clock).has_value());
}

TEST_CASE("counts that grow during a write stay dirty") {
  test::FakeClock clock;
  AdmissionCache cache(4);
  cache.insert(locator_number(1), stored_with_key());
  cache.admit(locator_number(1), kHash, clock);
  const auto counts = cache.dirty_counts(10);
  REQUIRE(counts.size() == 1);
  CHECK(counts[0].locator == locator_number(1));
  cache.admit(locator_number(1), kHash, clock);
  cache.mark_written(counts);
  CHECK(cache.dirty_counts(10).size() == 1);
  cache.mark_written(cache.dirty_counts(10));
  CHECK(cache.dirty_counts(10).empty());
}

TEST_CASE("keys of accounts that do not exist use no memory") {
  test::FakeClock clock;
  AdmissionCache cache(4);
  for (std::uint8_t number = 0; number < 50; ++number) cache.admit(locator_number(number), kHash, clock);
  cache.erase(locator_number(7));
  cache.invalidate(locator_number(8));
  CHECK(cache.account_count() == 0);
}

TEST_CASE("eight threads together are admitted exactly as often as the plan allows") {
  for (const auto& [plan, allowed] : {std::pair{Plan::free, 20}, std::pair{Plan::pro, 60}}) {
    AccountFixture fixture;
    const std::string account = fixture.new_account(plan);
    const std::string one = fixture.new_key(account);
    const std::string two = fixture.new_key(account);
    std::atomic<bool> done{false};
    std::thread flusher([&] {
      while (!done) fixture.accounts->flush();
    });
    std::atomic<int> turn{0};
    const int admitted = admitted_by_threads(50, [&] {
      const std::string& key = ++turn % 2 == 0 ? one : two;
      const Admission admission = fixture.accounts->admit(key);
      fixture.accounts->record(fixture.call_of(account));
      return admission.outcome == Admission::Outcome::admitted;
    });
    done = true;
    flusher.join();
    CHECK(admitted == allowed);
    fixture.accounts->flush();
    CHECK(fixture.number("SELECT minute_calls FROM call_counters") == allowed);
    CHECK(fixture.accounts->usage(account)->at(0).calls == 400);
  }
}

TEST_CASE("a key that is revoked while many threads call is rejected as soon as the revocation returns") {
  AccountFixture fixture;
  const std::string account = fixture.new_account(Plan::unlimited);
  for (int round = 0; round < 10; ++round) {
    const NewKey key = fixture.accounts->create_key(account).value();
    std::atomic<bool> revoked{false};
    std::atomic<int> late{0};
    std::vector<std::thread> threads;
    threads.reserve(4);
    for (int thread = 0; thread < 4; ++thread) {
      threads.emplace_back([&] {
        for (int call = 0; call < 200; ++call) {
          const bool was_revoked = revoked;
          const bool admitted = fixture.accounts->admit(key.key).outcome == Admission::Outcome::admitted;
          if (was_revoked && admitted) ++late;
        }
      });
    }
    CHECK(fixture.accounts->revoke_key(key.key_id).has_value());
    revoked = true;
    for (auto& thread : threads) thread.join();
    CHECK(late == 0);
  }
}
