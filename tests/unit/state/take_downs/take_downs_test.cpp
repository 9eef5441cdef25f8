#include "state/take_downs/take_downs.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "account_fixture.h"

using namespace tonearm;
using namespace tonearm::state;
using namespace tonearm::test;

namespace {

struct TakeDownFixture : AccountFixture {
  int notified = 0;
  TakeDowns take_downs{clock, store, [this] { ++notified; }};
};

}  // namespace

// TAKEDOWN-1
TEST_CASE("take-downs are listed by track id until they are removed") {
  TakeDownFixture fixture;
  TakeDowns& take_downs = fixture.take_downs;
  CHECK(take_downs.list({}).take_downs.empty());
  CHECK(take_downs.changes() == 0);
  const auto first = take_downs.add({"fs-2", "a claim", ""});
  REQUIRE(first.has_value());
  CHECK(first->is_new);
  CHECK(first->take_down.added == "2026-01-15T12:00:00Z");
  REQUIRE(take_downs.add({"fs-1", "another claim", "2020-01-01T00:00:00Z"}).has_value());
  CHECK(take_downs.track_ids() == std::vector<std::string>{"fs-1", "fs-2"});
  CHECK(take_downs.changes() == 2);
  CHECK(fixture.notified == 2);

  // A repeated one changes the reason alone.
  fixture.clock.advance_ms(3'600'000);
  const auto again = take_downs.add({"fs-2", "settled", ""});
  REQUIRE(again.has_value());
  CHECK_FALSE(again->is_new);
  CHECK((again->take_down == TakeDown{"fs-2", "settled", "2026-01-15T12:00:00Z"}));
  // An imported one changes nothing.
  const auto imported = take_downs.add({"fs-2", "older", "2019-01-01T00:00:00Z"});
  REQUIRE(imported.has_value());
  CHECK_FALSE(imported->is_new);
  CHECK((imported->take_down == again->take_down));
  CHECK((take_downs.list({}).take_downs ==
         std::vector<TakeDown>{{"fs-1", "another claim", "2020-01-01T00:00:00Z"}, again->take_down}));
  CHECK(take_downs.changes() == 2);

  REQUIRE(take_downs.remove("fs-1").has_value());
  CHECK(take_downs.remove("fs-1").error().code == ErrorCode::not_found);
  CHECK(take_downs.track_ids() == std::vector<std::string>{"fs-2"});
  CHECK(take_downs.changes() == 3);
}

TEST_CASE("take-downs are listed by pages") {
  TakeDownFixture fixture;
  for (const std::string id : {"a-3", "a-1", "a-5", "a-2", "a-4"})
    REQUIRE(fixture.take_downs.add({id, "a claim", ""}).has_value());
  std::vector<std::string> ids;
  TakeDownsQuery query{2, {}};
  for (int pages = 1;; ++pages) {
    const auto page = fixture.take_downs.list(query);
    CHECK(page.total == 5);
    for (const TakeDown& it : page.take_downs) ids.push_back(it.track_id);
    if (!page.after) {
      CHECK(pages == 3);
      break;
    }
    query.after = *page.after;
  }
  CHECK(ids == std::vector<std::string>{"a-1", "a-2", "a-3", "a-4", "a-5"});
}

TEST_CASE("the number of take-downs is limited, and a refused one changes nothing") {
  TakeDownFixture fixture;
  fixture.store.transact([](sql::Transaction& transaction) {
    for (std::size_t i = 0; i < kTakeDownsMax; ++i) {
      transaction.execute("INSERT INTO take_downs (track_id, reason, added) VALUES (?1, 'a claim', '')",
                          {"a-" + std::to_string(i)});
    }
  });
  const auto refused = fixture.take_downs.add({"b-1", "a claim", ""});
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().code == ErrorCode::invalid_request);
  CHECK(refused.error().message.find("10000 take-downs") != std::string::npos);
  CHECK(fixture.notified == 0);
  CHECK(fixture.take_downs.changes() == 0);
  // One that is there can still be changed.
  CHECK(fixture.take_downs.add({"a-7", "settled", ""}).has_value());
  REQUIRE(fixture.take_downs.remove("a-7").has_value());
  CHECK(fixture.take_downs.add({"b-1", "a claim", ""}).has_value());
}

TEST_CASE("a take-down that is not stored is not announced") {
  TakeDownFixture fixture;
  fixture.store.fail(FailingStore::FailAt::before_commit);
  CHECK_THROWS_AS((void)fixture.take_downs.add({"a-1", "a claim", ""}), sql::Failure);
  fixture.store.fail(FailingStore::FailAt::none);
  CHECK(fixture.notified == 0);
  CHECK(fixture.take_downs.track_ids().empty());
}
