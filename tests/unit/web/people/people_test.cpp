#include <doctest/doctest.h>

#include <chrono>
#include <future>
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
    return people.add_session(*people.find(name), {token, 100, device, 100}, 1).has_value();
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
    Passwords all(1, Passwords::Cost::minimal);
    const auto passwords = *all.wait_for_slot("a client");
    const auto stored_hash = passwords.hash("long enough");
    CHECK(stored_hash.substr(0, 10) == "$argon2id$");
    CHECK(stored_hash.find("long enough") == std::string::npos);
    CHECK(stored_hash != passwords.hash("long enough"));
    CHECK(passwords.verify(stored_hash, "long enough"));
    CHECK_FALSE(passwords.verify(stored_hash, "long enougH"));
    CHECK_FALSE(passwords.verify("", "nobody's password"));
  }

  TEST_CASE("clients wait for slots in the order of their arrival, and each waits once (WEB-26)") {
    Passwords passwords(2, Passwords::Cost::minimal);
    std::vector<Passwords::Slot> taken;
    for (const char* const client : {"busy", "also busy"}) taken.push_back(*passwords.wait_for_slot(client));
    using Waiting = std::future<bool>;
    const auto wait = [&](const std::string& client) {
      return std::async(std::launch::async,
                        [&passwords, client] { return passwords.wait_for_slot(client).has_value(); });
    };
    const auto is_ready = [](const Waiting& waiting) {
      return waiting.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    };
    // Of two calls of a client, one waits, and the other one is rejected at once.
    const auto enqueue = [&](const std::string& client) {
      std::pair<Waiting, Waiting> calls{wait(client), wait(client)};
      while (!is_ready(calls.first) && !is_ready(calls.second)) std::this_thread::yield();
      if (is_ready(calls.first)) std::swap(calls.first, calls.second);
      CHECK_FALSE(calls.second.get());
      return std::move(calls.first);
    };
    auto first = enqueue("first");
    auto second = enqueue("second");
    CHECK_THROWS_AS(passwords.wait_for_slot("third"), std::runtime_error);
    CHECK_FALSE(is_ready(first));
    taken.clear();
    CHECK(first.get());
    CHECK(second.get());
    // A client never has both slots.
    taken.push_back(*passwords.wait_for_slot("busy"));
    auto again = enqueue("busy");
    CHECK(passwords.wait_for_slot("other"));
    CHECK_FALSE(is_ready(again));
    taken.clear();
    CHECK(again.get());
    CHECK(passwords.wait_for_slot("third"));
  }

  TEST_CASE("a person has at most 20 sessions and known devices: the newest ones (WEB-6)") {
    InMemory site;
    site.people.add({"Anna", "hash", ""}, 1);
    site.people.add({"Bela", "hash", ""}, 1);
    CHECK(site.begin("other", "bela", "other device"));
    const auto anna = *site.people.find("anna");
    std::vector<std::string> ended;
    for (int i = 0; i < 30; ++i) {
      const auto name = std::to_string(i);
      const auto more = site.people.add_session(anna, {"s" + name, 1'000 + i, "d" + name, 1'000 + i}, 1);
      REQUIRE(more);
      ended.insert(ended.end(), more->begin(), more->end());
    }
    REQUIRE(ended.size() == 10);
    for (std::size_t i = 0; i < 30; ++i) {
      const auto name = std::to_string(i);
      CAPTURE(name);
      CHECK(site.people.find_session("s" + name, 50).has_value() == (i >= 10));
      CHECK(site.people.is_device_of("d" + name, "anna", 50) == (i >= 10));
      if (i < 10) CHECK(ended[i] == "s" + name);
    }
    CHECK(site.people.find_session("other", 50));
    CHECK(site.people.is_device_of("other device", "bela", 50));
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
    site.people.remove(*site.people.find("anna"));
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
    site.people.remove(now);
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
    const auto pending = site.people.pending_deletions().front();
    site.people.remove(pending);
    CHECK(site.people.pending_deletions().empty());
    site.people.add({"anna", "another's", "acc_2"}, 3);
    site.people.remove(pending);  // of another server, which read it before
    CHECK(site.people.find("anna")->account == "acc_2");
  }
}

}  // namespace
}  // namespace tonearm::web
