#include "people/oauth_store.h"

#include <doctest/doctest.h>

#include "people/people_store.h"
#include "tonearm/sqlite.h"

namespace tonearm::web {
namespace {

constexpr std::int64_t kDayMs = 86'400'000;
constexpr std::int64_t kNow = 100 * kDayMs;
using Keys = std::vector<std::string>;

struct OauthFixture {
  std::unique_ptr<sql::Store> store =
      sql::make_sqlite_store(sql::open_sqlite(":memory:", sql::OpenMode::read_write_create));
  PeopleStore people{*store};
  OauthStore oauth{*store};

  OauthFixture() {
    people.add({"Anna", "hash", "acc_1"}, 1);
    oauth.add_client({"app", "An app", {"https://a.example/", "https://a.example/2"}}, kNow);
  }

  OauthGrant grant(const std::string& id, const std::string& client = "app") const {
    return {id, "anna", "acc_1", client, "An app", "https://a.example/", "challenge", ""};
  }
  bool exchange(const std::string& from, const std::string& number, std::int64_t now_ms = kNow + 1) {
    return oauth.exchange(
        from, {"refresh" + number, now_ms + 30 * kDayMs, "access" + number, now_ms + 3'600'000, "key" + number},
        now_ms);
  }
};

TEST_SUITE("web: connections") {
  TEST_CASE_FIXTURE(OauthFixture, "a code is used once, within its time (OAUTH-7)") {
    CHECK(oauth.find_client("app")->redirects == Keys{"https://a.example/", "https://a.example/2"});
    CHECK_FALSE(oauth.find_client("other"));
    CHECK(oauth.add_grant(grant("g1"), "code1", kNow + 60'000, kNow));
    CHECK_FALSE(oauth.find_token("unknown", kNow));
    const auto found = oauth.find_token("code1", kNow + 59'999);
    REQUIRE(found);
    CHECK((found->state == FoundToken::State::valid));
    CHECK((found->kind == OauthTokenKind::code));
    CHECK(found->grant.id == "g1");
    CHECK(found->grant.person == "Anna");
    CHECK(found->grant.account == "acc_1");
    CHECK(found->grant.client_id == "app");
    CHECK(found->grant.client_name == "An app");
    CHECK(found->grant.redirect == "https://a.example/");
    CHECK(found->grant.challenge == "challenge");
    CHECK((oauth.find_token("code1", kNow + 60'000)->state == FoundToken::State::expired));
    CHECK(found->grant.key_id.empty());
    CHECK_FALSE(exchange("code1", "0", kNow + 60'000));
    CHECK(oauth.ended_keys(100) == Keys{"key0"});
    oauth.remove_ended_key("key0");
    CHECK(oauth.connections("anna", kNow).empty());
    CHECK(exchange("code1", "1"));
    CHECK(oauth.ended_keys(100).empty());
    CHECK(oauth.find_token("code1", kNow + 1)->grant.key_id == "key1");
    CHECK((oauth.find_token("code1", kNow + 1)->state == FoundToken::State::used));
    CHECK_FALSE(exchange("code1", "2"));
    CHECK(oauth.ended_keys(100) == Keys{"key2"});
    const auto connections = oauth.connections("ANNA", kNow + 1);
    REQUIRE(connections.size() == 1);
    CHECK(connections[0].id == "g1");
    CHECK(connections[0].name == "An app");
    CHECK(connections[0].key_id == "key1");
    CHECK(connections[0].used_ms == kNow + 1);
  }

  TEST_CASE_FIXTURE(OauthFixture, "a refresh token is replaced by the next one, and ends with its grant (OAUTH-8)") {
    oauth.add_grant(grant("g1"), "code1", kNow + 60'000, kNow);
    exchange("code1", "1");
    CHECK_FALSE(exchange("access1", "3"));
    CHECK(exchange("refresh1", "2"));
    CHECK(oauth.ended_keys(100) == Keys{"key1", "key3"});
    CHECK_FALSE(oauth.find_token("access1", kNow + 1));
    CHECK((oauth.find_token("access2", kNow + 1)->kind == OauthTokenKind::access));
    CHECK((oauth.find_token("refresh1", kNow + 1)->state == FoundToken::State::used));
    CHECK((oauth.find_token("refresh2", kNow + 1)->state == FoundToken::State::valid));
    CHECK((oauth.find_token("refresh2", kNow + 31 * kDayMs)->state == FoundToken::State::expired));
    CHECK(oauth.connections("anna", kNow + 31 * kDayMs).empty());
    oauth.end_grant("g1");
    oauth.end_grant("g1");
    CHECK(oauth.ended_keys(100) == Keys{"key1", "key2", "key3"});
    oauth.remove_ended_key("key2");
    CHECK(oauth.ended_keys(100) == Keys{"key1", "key3"});
    for (const auto* const token : {"code1", "refresh1", "refresh2", "access2"})
      CHECK_FALSE(oauth.find_token(token, kNow));
  }

  TEST_CASE_FIXTURE(OauthFixture, "a person has at most 20 connections; another one ends the oldest (OAUTH-9)") {
    for (int i = 1; i <= 20; ++i) {
      const auto number = std::to_string(i);
      CHECK(oauth.add_grant(grant("g" + number), "code" + number, kNow + 60'000, kNow + i));
      CHECK(exchange("code" + number, number, kNow + i));
    }
    for (int i = 21; i <= 50; ++i) {
      const auto number = std::to_string(i);
      CHECK(oauth.add_grant(grant("g" + number), "code" + number, kNow + 60'000, kNow + i));
    }
    CHECK(oauth.connections("anna", kNow + 60).size() == 20);
    CHECK(oauth.ended_keys(100).empty());
    CHECK_FALSE(oauth.find_token("code30", kNow + 60));
    CHECK(exchange("code31", "31", kNow + 60));
    CHECK(oauth.connections("anna", kNow + 60).size() == 20);
    CHECK(oauth.ended_keys(100) == Keys{"key1"});
    CHECK_FALSE(oauth.find_token("refresh1", kNow + 60));
    CHECK(oauth.find_token("refresh2", kNow + 60));
  }

  TEST_CASE_FIXTURE(OauthFixture, "a connection that refreshes in a loop keeps 100 used tokens (OAUTH-8)") {
    oauth.add_grant(grant("g1"), "code1", kNow + 60'000, kNow);
    exchange("code1", "1");
    for (int i = 1; i <= 150; ++i) {
      CHECK(exchange("refresh" + std::to_string(i), std::to_string(i + 1), kNow + 1 + i));
      for (const auto& key_id : oauth.ended_keys(100)) oauth.remove_ended_key(key_id);
    }
    std::int64_t count = 0;
    store->transact([&](sql::Transaction& transaction) {
      count = std::get<std::int64_t>(transaction.execute("SELECT COUNT(*) FROM site_oauth_tokens")[0][0]);
    });
    CHECK(count == 102);
    CHECK_FALSE(oauth.find_token("refresh50", kNow + 200));
    CHECK((oauth.find_token("refresh51", kNow + 200)->state == FoundToken::State::used));
    CHECK((oauth.find_token("refresh151", kNow + 200)->state == FoundToken::State::valid));
  }

  TEST_CASE_FIXTURE(OauthFixture, "a consent that outlives its account adds nothing (OAUTH-9, WEB-11)") {
    people.begin_deletion("anna");
    CHECK_FALSE(oauth.add_grant(grant("g1"), "code1", kNow + 60'000, kNow));
    people.remove(*people.find("anna"));
    CHECK_FALSE(oauth.add_grant(grant("g2"), "code2", kNow + 60'000, kNow));
    people.add({"anna", "another's", "acc_2"}, 2);
    CHECK_FALSE(oauth.add_grant(grant("g3"), "code3", kNow + 60'000, kNow));
    for (const auto* const code : {"code1", "code2", "code3"}) CHECK_FALSE(oauth.find_token(code, kNow + 1));
  }

  TEST_CASE_FIXTURE(OauthFixture, "connections end with their person (WEB-11)") {
    oauth.add_grant(grant("g1"), "code1", kNow + 60'000, kNow);
    exchange("code1", "1");
    people.begin_deletion("anna");
    CHECK_FALSE(oauth.find_token("refresh1", kNow + 1));
    people.remove(*people.find("anna"));
    people.add({"anna", "another's", "acc_2"}, 2);
    CHECK_FALSE(oauth.find_token("refresh1", kNow + 1));
    CHECK(oauth.connections("anna", kNow + 1).empty());
  }

  TEST_CASE_FIXTURE(OauthFixture, "registrations without grants are forgotten after a week (OAUTH-3)") {
    oauth.add_client({"unused", "", {"https://a.example/"}}, kNow);
    oauth.add_grant(grant("g1"), "code1", kNow + 60'000, kNow);
    exchange("code1", "1");
    CHECK(oauth.add_client({"later", "", {"https://a.example/"}}, kNow + 7 * kDayMs));
    CHECK_FALSE(oauth.find_client("unused"));
    CHECK(oauth.find_client("app"));
    CHECK(oauth.add_client({"last", "", {"https://a.example/"}}, kNow + 40 * kDayMs));
    CHECK_FALSE(oauth.find_client("app"));
  }

  TEST_CASE_FIXTURE(OauthFixture,
                    "10,000 registrations are kept; a new one replaces the oldest without grants (OAUTH-3)") {
    store->transact([](sql::Transaction& transaction) {
      transaction.execute(
          "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 9999)"
          " INSERT INTO site_oauth_clients (client_id, name, redirects, created_ms)"
          " SELECT 'many' || n, '', 'https://a.example/', ?1 + n FROM numbers",
          {kNow});
    });
    oauth.add_grant(grant("g1"), "code1", kNow + 60'000, kNow);
    CHECK(oauth.add_client({"new", "", {"https://a.example/"}}, kNow + 20'000));
    CHECK(oauth.find_client("new"));
    CHECK(oauth.find_client("app"));
    CHECK_FALSE(oauth.find_client("many1"));
    CHECK(oauth.find_client("many2"));
    store->transact([](sql::Transaction& transaction) {
      transaction.execute(
          "INSERT INTO site_oauth_grants (grant_id, name_key, client_id, client_name, redirect, challenge, key_id,"
          " created_ms, used_ms, until_ms) SELECT 'of' || client_id, 'anna', client_id, '', '', '', '', ?1, ?1,"
          " ?1 + 1000000000 FROM site_oauth_clients",
          {kNow});
    });
    CHECK_FALSE(oauth.add_client({"one more", "", {"https://a.example/"}}, kNow + 20'000));
  }
}

}  // namespace
}  // namespace tonearm::web
