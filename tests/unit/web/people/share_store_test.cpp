#include "people/share_store.h"

#include <doctest/doctest.h>

#include "people/people_store.h"
#include "tonearm/sqlite.h"

namespace tonearm::web {
namespace {

TEST_SUITE("web: shares") {
  TEST_CASE("a link ends when it is removed, with its collection, and with its person (WEB-28)") {
    const auto store = sql::make_sqlite_store(sql::open_sqlite(":memory:", sql::OpenMode::read_write_create));
    PeopleStore people(*store);
    ShareStore shares(*store);
    people.add({"Anna", "hash", "acc_1"}, 1);
    CHECK(shares.find("anna", "col_1").token.empty());
    shares.set_description("ANNA", "col_1", "For a film");
    CHECK_FALSE(shares.find_link(""));
    shares.create_link("anna", "col_1", "t1");
    shares.create_link("anna", "col_1", "t2");
    CHECK(shares.find("anna", "col_1").token == "t1");
    CHECK(shares.find("bela", "col_1").token.empty());
    CHECK_FALSE(shares.find_link("t2"));
    const auto found = shares.find_link("t1");
    REQUIRE(found);
    CHECK(found->person == "Anna");
    CHECK(found->account == "acc_1");
    CHECK(found->collection == "col_1");
    CHECK(found->description == "For a film");
    shares.remove_link("anna", "col_1");
    CHECK_FALSE(shares.find_link("t1"));
    CHECK(shares.find("anna", "col_1").description == "For a film");
    shares.create_link("anna", "col_1", "t3");
    shares.remove("anna", "col_1");
    CHECK_FALSE(shares.find_link("t3"));
    CHECK(shares.find("anna", "col_1").description.empty());
    shares.create_link("anna", "col_1", "t4");
    people.begin_deletion("anna");
    CHECK_FALSE(shares.find_link("t4"));
    people.remove(*people.find("anna"));
    people.add({"anna", "another's", "acc_2"}, 2);
    CHECK(shares.find("anna", "col_1").token.empty());
    CHECK_FALSE(shares.find_link("t4"));
  }
}

}  // namespace
}  // namespace tonearm::web
