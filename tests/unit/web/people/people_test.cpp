#include <doctest/doctest.h>

#include <set>

#include "people/passwords.h"
#include "people/people_store.h"
#include "tonearm/sqlite.h"

namespace tonearm::web {
namespace {

struct InMemory {
  std::unique_ptr<sql::Store> store =
      sql::make_sqlite_store(sql::open_sqlite(":memory:", sql::OpenMode::read_write_create));
  PeopleStore people{*store};

  bool begin(const std::string& token, std::string_view name, const std::string& device = "") {
    return people.add_session(*people.find(name), {token, 100, device, 100}, 1);
  }
};

TEST_SUITE("web: people") {
  TEST_CASE("names are validated and unique regardless of case (WEB-7)") {
    for (const char* const name : {"abc", "a-b_c.d", "9lives", "Anna"}) CHECK(name_error(name).empty());
    const std::string long_name(33, 'a');
    for (const std::string name : {"", "ab", "-abc", ".abc", "a b c", "ann\xC3\xA4", "a\nbc", long_name.c_str()}) {
      CAPTURE(name);
      CHECK_FALSE(name_error(name).empty());
    }
    InMemory site;
    CHECK(site.people.add({"Anna", "hash", ""}, 1) == PeopleStore::Added::yes);
    CHECK(site.people.add({"aNNA", "hash", ""}, 1) == PeopleStore::Added::name_is_taken);
    CHECK(site.people.find("ANNA")->name == "Anna");
    CHECK_FALSE(site.people.find("bela"));
  }

  TEST_CASE("passwords are validated and stored only as a hash (WEB-7)") {
    CHECK(password_error("long enough", "anna").empty());
    CHECK_FALSE(password_error("short", "anna").empty());
    CHECK_FALSE(password_error(std::string(257, 'x'), "anna").empty());
    CHECK_FALSE(password_error("Annabella", "annabella").empty());
    Passwords passwords(Passwords::Cost::minimal);
    const auto stored_hash = passwords.hash("long enough");
    CHECK(stored_hash.substr(0, 10) == "$argon2id$");
    CHECK(stored_hash.find("long enough") == std::string::npos);
    CHECK(stored_hash != passwords.hash("long enough"));
    CHECK(passwords.verify(stored_hash, "long enough"));
    CHECK_FALSE(passwords.verify(stored_hash, "long enougH"));
    CHECK_FALSE(passwords.verify("", "nobody's password"));
  }

  TEST_CASE("a session ends when it expires, when its person is removed, and when it is removed (WEB-6)") {
    InMemory site;
    site.people.add({"Anna", "hash", "acc_1"}, 1);
    CHECK(site.begin("t1", "anna"));
    CHECK(site.people.find_session("t1", 99)->account == "acc_1");
    CHECK_FALSE(site.people.find_session("t1", 100));
    CHECK_FALSE(site.people.find_session("t2", 99));
    site.people.remove_session("t1");
    CHECK_FALSE(site.people.find_session("t1", 99));
    CHECK(site.begin("t3", "anna", "d"));
    CHECK(site.people.is_device_of("d", "ANNA", 50));
    CHECK_FALSE(site.people.is_device_of("d", "bela", 50));
    CHECK_FALSE(site.people.is_device_of("d", "anna", 100));
    site.people.remove("anna");
    CHECK_FALSE(site.people.find_session("t3", 50));
    CHECK_FALSE(site.people.is_device_of("d", "anna", 50));
    CHECK(site.people.add({"anna", "hash", ""}, 2) == PeopleStore::Added::yes);
  }

  TEST_CASE("a new password ends all sessions and devices, and replaces only the expected one (WEB-22)") {
    InMemory site;
    site.people.add({"Anna", "old", "acc_1"}, 1);
    site.people.add({"Bela", "old", "acc_2"}, 1);
    CHECK(site.begin("a1", "anna"));
    CHECK(site.begin("a2", "anna", "d"));
    CHECK(site.begin("b", "bela"));
    CHECK_FALSE(site.people.set_password("anna", "older", "new"));
    CHECK_FALSE(site.people.set_password("nobody", "old", "new"));
    CHECK(site.people.find_session("a1", 50));
    const auto ended = site.people.set_password("ANNA", "old", "new");
    REQUIRE(ended);
    CHECK(std::set<std::string>(ended->begin(), ended->end()) == std::set<std::string>{"a1", "a2"});
    CHECK(site.people.find("anna")->password == "new");
    CHECK(site.people.find("bela")->password == "old");
    CHECK_FALSE(site.people.find_session("a1", 50));
    CHECK_FALSE(site.people.is_device_of("d", "anna", 50));
    CHECK(site.people.find_session("b", 50));
    site.people.begin_deletion("anna");
    CHECK_FALSE(site.people.set_password("anna", "new", "newer"));
  }

  TEST_CASE("a sign-in that races with a new password or a deletion gets no session (WEB-11, WEB-22)") {
    InMemory site;
    site.people.add({"Anna", "old", "acc_1"}, 1);
    const auto checked = *site.people.find("anna");
    CHECK(site.people.set_password("anna", "old", "new"));
    CHECK_FALSE(site.people.add_session(checked, {"t1", 100, "d", 100}, 1));
    CHECK_FALSE(site.people.find_session("t1", 50));
    CHECK_FALSE(site.people.is_device_of("d", "anna", 50));
    const auto now = *site.people.find("anna");
    site.people.begin_deletion("anna");
    CHECK_FALSE(site.people.add_session(now, {"t2", 100, "", 0}, 1));
    site.people.remove("anna");
    CHECK_FALSE(site.people.add_session(now, {"t3", 100, "", 0}, 1));
    site.people.add({"anna", "another's", "acc_2"}, 2);
    for (const char* const token : {"t1", "t2", "t3"}) CHECK_FALSE(site.people.find_session(token, 50));
  }

  TEST_CASE("an interrupted deletion is found again, and its name stays taken (WEB-11)") {
    InMemory site;
    site.people.add({"Anna", "hash", "acc_1"}, 1);
    CHECK(site.begin("t", "anna"));
    site.people.begin_deletion("anna");
    CHECK_FALSE(site.people.find_session("t", 50));
    REQUIRE(site.people.pending_deletions().size() == 1);
    CHECK(site.people.pending_deletions().front().account == "acc_1");
    CHECK(site.people.add({"anna", "hash", ""}, 2) == PeopleStore::Added::name_is_taken);
    site.people.remove("anna");
    CHECK(site.people.pending_deletions().empty());
  }
}

}  // namespace
}  // namespace tonearm::web
