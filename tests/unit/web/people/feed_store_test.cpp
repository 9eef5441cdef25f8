#include "people/feed_store.h"

#include <doctest/doctest.h>

#include "people/people_store.h"
#include "tonearm/sqlite.h"

namespace tonearm::web {
namespace {

TEST_SUITE("web: feeds") {
  TEST_CASE("a feed has one address, and remembers when a change was seen first (WEB-34)") {
    const auto store = sql::make_sqlite_store(sql::open_sqlite(":memory:", sql::OpenMode::read_write_create));
    PeopleStore people(*store);
    FeedStore feeds(*store);
    people.add({"Anna", "hash", "acc_1"}, 1);
    CHECK(feeds.find("anna").empty());
    feeds.set_token({"anna", "", "acc_1"}, "t1", 10);
    feeds.set_token({"ANNA", "", "acc_1"}, "t2", 20);
    CHECK(feeds.find("anna") == "t2");
    CHECK_FALSE(feeds.find_owner("t1"));
    const auto owner = feeds.find_owner("t2");
    REQUIRE(owner);
    CHECK(owner->account == "acc_1");
    CHECK(owner->created_ms == 20);
    using Seen = std::map<std::string, std::int64_t>;
    constexpr std::int64_t kDay = 86'400'000;
    CHECK(feeds.see("anna", {{"a", "b"}, true}, 30) == Seen{{"a", 30}, {"b", 30}});
    CHECK(feeds.see("anna", {{"b", "c"}, false}, 40) == Seen{{"b", 30}, {"c", 40}});
    CHECK(feeds.see("anna", {{"c"}, true}, 50) == Seen{{"c", 40}});
    CHECK(feeds.see("anna", {{"a"}, true}, 60) == Seen{{"a", 30}});
    CHECK(feeds.see("anna", {{}, true}, 50 + kDay) == Seen{});
    CHECK(feeds.see("anna", {{"b", "c"}, true}, 55 + kDay) == Seen{{"b", 55 + kDay}, {"c", 40}});
    CHECK(feeds.see("bela", {{"a"}, true}, 60) == Seen{{"a", 60}});
    CHECK(feeds.see("bela", {{"a"}, true}, 70) == Seen{{"a", 70}});  // nothing is stored without a feed
    feeds.set_token({"anna", "", "acc_of_an_earlier_anna"}, "t9", 65);
    CHECK_FALSE(feeds.find_owner("t9"));
    feeds.remove("anna");
    CHECK_FALSE(feeds.find_owner("t2"));
    feeds.set_token({"anna", "", "acc_1"}, "t3", 70);
    people.begin_deletion("anna");
    CHECK_FALSE(feeds.find_owner("t3"));
  }
}

}  // namespace
}  // namespace tonearm::web
