#include "state/readiness.h"

#include <doctest/doctest.h>

#include <latch>
#include <thread>

#include "account_fixture.h"

using namespace tonearm;
using state::Readiness;
using test::AccountFixture;
using test::FailingStore;

namespace {

/// Counts transactions, and can block the next one.
class WatchedStore final : public sql::Store {
 public:
  explicit WatchedStore(sql::Store& store) : store_(store) {}
  void transact(const std::function<void(sql::Transaction&)>& body) override {
    ++transactions;
    if (holding) {
      began.count_down();
      may_end.wait();
    }
    store_.transact(body);
  }

  int transactions = 0;
  bool holding = false;
  std::latch began{1};
  std::latch may_end{1};

 private:
  sql::Store& store_;
};

}  // namespace

// SERVICE-5
TEST_CASE("the state is probed at most once a second") {
  AccountFixture fixture;
  WatchedStore store(fixture.store);
  Readiness readiness(store, fixture.clock);
  for (int second = 1; second <= 3; ++second) {
    for (int call = 0; call < 50; ++call) readiness.check();
    fixture.clock.advance_ms(999);
    readiness.check();
    CHECK(store.transactions == second);
    fixture.clock.advance_ms(1);
  }
  fixture.clock.advance_ms(-50'000);
  readiness.check();
  CHECK(store.transactions == 4);
}

TEST_CASE("a state that rejects writes is not ready, and is ready again a second after it accepts them") {
  AccountFixture fixture;
  Readiness readiness(fixture.store, fixture.clock);
  readiness.check();
  fixture.store.fail(FailingStore::FailAt::before_commit);
  readiness.check();  // the result of the last probe
  fixture.clock.advance_ms(1'000);
  CHECK_THROWS_AS(readiness.check(), sql::Failure);
  fixture.store.fail(FailingStore::FailAt::none);
  CHECK_THROWS_AS(readiness.check(), sql::Failure);
  fixture.clock.advance_ms(1'000);
  readiness.check();
}

TEST_CASE("while one call probes, others use the last result for a second") {
  AccountFixture fixture;
  WatchedStore store(fixture.store);
  Readiness readiness(store, fixture.clock);
  readiness.check();
  fixture.clock.advance_ms(1'000);
  store.holding = true;
  std::thread looking([&] { readiness.check(); });
  store.began.wait();
  readiness.check();
  fixture.clock.advance_ms(1'000);
  CHECK_THROWS_AS(readiness.check(), sql::Failure);
  CHECK(store.transactions == 2);
  store.may_end.count_down();
  looking.join();
}
