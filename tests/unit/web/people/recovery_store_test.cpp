#include "people/recovery_store.h"

#include <doctest/doctest.h>

#include <limits>

#include "people/people_store.h"
#include "system/system_ports.h"
#include "tonearm/sqlite.h"

namespace tonearm::web {
namespace {

using Issuer = RecoveryStore::Issuer;

struct Fixture {
  std::unique_ptr<sql::Store> store =
      sql::make_sqlite_store(sql::open_sqlite(":memory:", sql::OpenMode::read_write_create));
  PeopleStore people{*store};
  RecoveryStore codes{*store};
  Fixture() {
    people.add({"Anna", "old", "acc_1"}, 1);
    people.add({"Bela", "old", "acc_2"}, 1);
  }
};

TEST_SUITE("web: recovery") {
  TEST_CASE("a code has 160 bits in groups, and is read as people type it (WEB-32)") {
    native::SystemRandom random;
    native::OpensslHashing hashing;
    const auto code = new_recovery_code(random);
    CHECK(code.size() == 39);
    CHECK(code[4] == '-');
    CHECK(code != new_recovery_code(random));
    CHECK(code.find_first_not_of("0123456789abcdefghjkmnpqrstvwxyz-") == std::string::npos);
    const auto hash = recovery_hash(hashing, "0a1b-cdef");
    CHECK(hash.size() == 64);
    CHECK(hash == recovery_hash(hashing, " OAlB cd-eF\n"));
    CHECK(hash != recovery_hash(hashing, "0a1b-cdeg"));
  }

  TEST_CASE("a code sets a password once, for its person, and ends the sessions (WEB-32)") {
    Fixture it;
    CHECK(it.codes.set_code("anna", Issuer::person, "h1", std::numeric_limits<std::int64_t>::max()));
    CHECK_FALSE(it.codes.set_code("nobody", Issuer::person, "h1", 100));
    CHECK(it.people.add_session(*it.people.find("anna"), {"s", 100, "d", 100}, 1));
    CHECK(it.people.add_session(*it.people.find("bela"), {"b", 100, "", 0}, 1));
    CHECK(it.codes.is_valid("ANNA", "h1", 50));
    CHECK_FALSE(it.codes.is_valid("bela", "h1", 50));
    CHECK_FALSE(it.codes.use("anna", "h2", {"new", "h3"}, 50));
    CHECK_FALSE(it.codes.use("bela", "h1", {"new", "h3"}, 50));
    const auto ended = it.codes.use("anna", "h1", {"new", "h3"}, 50);
    REQUIRE(ended);
    CHECK(*ended == std::vector<std::string>{"s"});
    CHECK(it.people.find("anna")->password == "new");
    CHECK_FALSE(it.people.is_device_of("d", "anna", 50));
    CHECK(it.people.find_session("b", 50));
    CHECK_FALSE(it.codes.use("anna", "h1", {"newer", "h4"}, 50));
    CHECK(it.codes.use("anna", "h3", {"newer", "h4"}, 50));
  }

  TEST_CASE("the operator's code expires, does not replace the person's, and ends with it (WEB-33)") {
    Fixture it;
    it.codes.set_code("anna", Issuer::person, "own", std::numeric_limits<std::int64_t>::max());
    it.codes.set_code("anna", Issuer::site_operator, "first", 100);
    it.codes.set_code("anna", Issuer::site_operator, "second", 100);
    CHECK_FALSE(it.codes.is_valid("anna", "first", 50));
    CHECK(it.codes.is_valid("anna", "second", 99));
    CHECK_FALSE(it.codes.is_valid("anna", "second", 100));
    CHECK(it.codes.use("anna", "own", {"new", "next"}, 50));
    CHECK_FALSE(it.codes.is_valid("anna", "second", 50));
    it.people.begin_deletion("anna");
    CHECK_FALSE(it.codes.is_valid("anna", "next", 50));
    CHECK_FALSE(it.codes.set_code("anna", Issuer::site_operator, "third", 100));
    it.people.remove(*it.people.find("anna"));
    it.people.add({"anna", "another's", "acc_3"}, 2);
    CHECK_FALSE(it.codes.is_valid("anna", "next", 50));
  }
}

}  // namespace
}  // namespace tonearm::web
