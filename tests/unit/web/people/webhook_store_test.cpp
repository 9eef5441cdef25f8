#include "people/webhook_store.h"

#include <doctest/doctest.h>

#include <limits>

#include "people/people_store.h"
#include "tonearm/sqlite.h"

namespace tonearm::web {
namespace {

constexpr std::int64_t kStart = 1'000'000;
constexpr std::int64_t kLease = 1'000;
constexpr std::int64_t kEver = std::numeric_limits<std::int64_t>::max();

struct WebhookFixture {
  std::unique_ptr<sql::Store> store =
      sql::make_sqlite_store(sql::open_sqlite(":memory:", sql::OpenMode::read_write_create));
  PeopleStore people{*store};
  WebhookStore webhooks{*store};

  WebhookFixture() {
    people.add({"Anna", "hash", "acc_1"}, 1);
    people.add({"Bela", "hash", "acc_2"}, 1);
  }

  bool set(const std::string& name, const std::string& account, const std::vector<std::string>& known = {}) {
    return webhooks.set({name, account, "https://" + name + ".example/", "secret " + name, kStart}, known);
  }
  void add(const std::vector<std::string>& keys, std::int64_t now_ms = kStart) {
    std::vector<WebhookChange> changes;
    for (const auto& key : keys) changes.push_back({key, "msg_" + key + std::to_string(now_ms), "body of " + key});
    webhooks.add_changes(*webhooks.find("anna"), changes, now_ms);
  }
  std::size_t undelivered() { return webhooks.undelivered("anna").size(); }
};

TEST_SUITE("web: webhooks") {
  TEST_CASE_FIXTURE(WebhookFixture, "each new change is one message, and known ones are none (WEB-46)") {
    REQUIRE(set("anna", "acc_1", {"a", "a"}));
    add({"a", "b", "b"});
    CHECK(undelivered() == 1);
    add({"a", "b"}, kStart + 1);
    CHECK(undelivered() == 1);
    add({"b"}, kStart + 2);
    add({"a", "b"}, kStart + 3);  // it was revoked, and made again
    CHECK(undelivered() == 2);
    auto replaced = *webhooks.find("anna");
    replaced.secret = "the earlier secret";
    webhooks.add_changes(replaced, {{"c", "msg_c", ""}}, kStart + 4);
    CHECK(undelivered() == 2);
    CHECK(webhooks.undelivered("bela").empty());
  }

  TEST_CASE_FIXTURE(WebhookFixture, "a message is claimed by one server, and again after its lease (WEB-47)") {
    set("anna", "acc_1");
    set("bela", "acc_2");
    add({"a", "b"});
    webhooks.add_message("bela", {"", "msg_test", "test"}, kStart);
    const auto first = webhooks.claim_deliveries(kStart, kLease);
    REQUIRE(first.size() == 2);  // one of each person
    CHECK(first[0].address == "https://anna.example/");
    CHECK(first[0].secret == "secret anna");
    CHECK(first[0].body == "body of a");
    CHECK(first[1].id == "msg_test");
    const auto second = webhooks.claim_deliveries(kStart, kLease);
    REQUIRE(second.size() == 1);
    CHECK(second[0].body == "body of b");
    CHECK(webhooks.claim_deliveries(kStart + kLease - 1, kLease).empty());
    CHECK(webhooks.claim_deliveries(kStart + kLease, kLease).size() == 2);
    webhooks.set_delivered(first[0], kStart + 5);
    CHECK(webhooks.find("anna")->delivered_ms == kStart + 5);
    CHECK(undelivered() == 1);
  }

  TEST_CASE_FIXTURE(WebhookFixture, "a failed message waits, is given up, or ends the webhook; it can be sent again") {
    set("anna", "acc_1");
    add({"a"});
    auto one = webhooks.claim_deliveries(kStart, kLease).front();
    webhooks.set_failed(one, "no connection", kStart + 5'000);
    CHECK(webhooks.claim_deliveries(kStart + 4'999, kLease).empty());
    one = webhooks.claim_deliveries(kStart + 5'000, kLease).front();
    CHECK(one.tries == 1);
    webhooks.set_failed(one, "no connection", std::nullopt);
    CHECK(webhooks.claim_deliveries(kEver - kLease, kLease).empty());
    auto shown = webhooks.undelivered("anna").front();
    CHECK(shown.is_given_up);
    CHECK(shown.tries == 2);
    CHECK(shown.error == "no connection");
    CHECK_FALSE(webhooks.resend("bela", one.id, kStart));
    CHECK(webhooks.resend("ANNA", one.id, kStart));
    one = webhooks.claim_deliveries(kStart, kLease).front();
    CHECK(one.tries == 0);
    webhooks.end(one, "the receiver answered 410");
    CHECK(webhooks.find("anna")->is_ended);
    CHECK_FALSE(webhooks.resend("anna", one.id, kStart));
    CHECK_FALSE(webhooks.add_message("anna", {"", "msg_test", ""}, kStart));
    CHECK(webhooks.claim_checks(kEver, 0).empty());
  }

  TEST_CASE_FIXTURE(WebhookFixture, "license changes are read once per interval, and messages are bounded (WEB-46)") {
    set("anna", "acc_1");
    set("bela", "acc_2");
    CHECK(webhooks.claim_checks(kStart + 99, 100).empty());
    CHECK(webhooks.claim_checks(kStart + 100, 100).size() == 2);
    CHECK(webhooks.claim_checks(kStart + 199, 100).empty());
    for (int i = 0; i < 500; ++i) webhooks.add_message("anna", {"", "msg_" + std::to_string(i), ""}, kStart + i);
    add({"newest"}, kStart + 1'000);
    std::int64_t count = 0;
    store->transact([&](sql::Transaction& transaction) {
      count = std::get<std::int64_t>(transaction.execute("SELECT COUNT(*) FROM site_webhook_messages")[0][0]);
    });
    CHECK(count == 401);
    CHECK(webhooks.undelivered("anna").front().id == "msg_newest1001000");
  }

  TEST_CASE_FIXTURE(WebhookFixture, "a webhook ends with its person (WEB-11)") {
    set("anna", "acc_1");
    add({"a"});
    CHECK_FALSE(set("anna", "acc_other"));
    CHECK(undelivered() == 1);
    people.begin_deletion("anna");
    CHECK_FALSE(webhooks.find("anna"));
    CHECK_FALSE(set("anna", "acc_1"));
    people.remove(*people.find("anna"));
    CHECK(undelivered() == 0);
    people.add({"anna", "another's", "acc_3"}, 2);
    CHECK_FALSE(webhooks.find("anna"));
  }
}

}  // namespace
}  // namespace tonearm::web
