#include "people/webhook_store.h"

#include <doctest/doctest.h>

#include <limits>
#include <set>

#include "people/people_store.h"
#include "tonearm/sqlite.h"

namespace tonearm::web {
namespace {

constexpr std::int64_t kStart = 1'000'000;
constexpr std::int64_t kLease = 1'000;
constexpr std::int64_t kDay = 86'400'000;
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

  bool set(const std::string& name, const std::string& account, const std::set<std::string>& known = {}) {
    return webhooks.set({name, account, "https://" + name + ".example/", "secret " + name, kStart}, known);
  }
  void list(const std::vector<std::string>& keys, std::int64_t now_ms = kStart, bool is_complete = true) {
    std::vector<NewWebhookMessage> messages;
    messages.reserve(keys.size());
    for (const auto& key : keys) messages.push_back({"msg_" + key + std::to_string(now_ms), "body of " + key, key});
    webhooks.add_changes(*webhooks.find("anna"), messages, {{keys.begin(), keys.end()}, is_complete}, now_ms);
  }
  std::size_t undelivered() { return webhooks.undelivered("anna").size(); }
  std::vector<WebhookDelivery> claim(std::int64_t now_ms = kStart, std::size_t count_max = 20) {
    return webhooks.claim_deliveries(now_ms, kLease, count_max);
  }
};

TEST_SUITE("web: webhooks") {
  TEST_CASE_FIXTURE(WebhookFixture, "each new change is one message, and known ones are none (WEB-46)") {
    REQUIRE(set("anna", "acc_1", {"a"}));
    list({"a", "b", "b"});
    CHECK(undelivered() == 1);
    list({"a", "b"}, kStart + 1);
    CHECK(undelivered() == 1);
    auto replaced = *webhooks.find("anna");
    replaced.secret = "the earlier secret";
    webhooks.add_changes(replaced, {{"msg_c", "", "c"}}, {{"c"}, true}, kStart + 4);
    CHECK(undelivered() == 1);
    CHECK(webhooks.undelivered("bela").empty());
  }

  TEST_CASE_FIXTURE(WebhookFixture, "a change is forgotten when complete lists have lacked it for a day (WEB-46)") {
    set("anna", "acc_1", {"a", "b"});
    list({"b"}, kStart, false);
    list({"a", "b"}, kStart + 2 * kDay, false);
    CHECK(undelivered() == 0);  // incomplete lists state nothing about other changes
    list({"b"}, kStart);
    list({"b"}, kStart + kDay - 1);
    list({"a", "b"}, kStart + kDay);
    CHECK(undelivered() == 0);  // another server of the API had an older catalog
    list({"b"}, kStart + kDay);
    list({"b"}, kStart + kDay + kDay - 1);
    list({"a", "b"}, kStart + kDay + kDay - 1);
    CHECK(undelivered() == 0);  // the absence began again
    list({"b"}, kStart + 3 * kDay);
    list({"b"}, kStart + 4 * kDay);
    list({"a", "b"}, kStart + 4 * kDay + 1);  // it was revoked, and made again
    CHECK(undelivered() == 1);
    set("anna", "acc_1", {"a"});
    list({}, kStart + 5 * kDay);
    list({"a"}, kStart + 5 * kDay + 1);
    CHECK(undelivered() == 0);  // absences end with their webhook
  }

  TEST_CASE_FIXTURE(WebhookFixture, "known changes are bounded, even if no list is complete (WEB-46)") {
    std::set<std::string> many;
    for (int i = 0; i < 10'001; ++i) many.insert("change " + std::to_string(i));
    set("anna", "acc_1", many);
    list({"change 1"}, kStart, false);
    list({"change 1", "change 2"}, kStart + 1, false);
    CHECK(undelivered() == 1);
  }

  TEST_CASE_FIXTURE(WebhookFixture, "no change is lost if too many messages wait (WEB-46)") {
    set("anna", "acc_1");
    constexpr int kChanges = 1'200;
    std::vector<std::string> many;
    many.reserve(kChanges);
    for (int i = 0; i < kChanges; ++i) many.push_back("change " + std::to_string(i));
    std::set<std::string> sent;
    std::int64_t now_ms = kStart;
    const auto deliver_all = [&] {
      for (auto due = claim(now_ms); !due.empty(); due = claim(now_ms)) {
        sent.insert(due[0].body);
        webhooks.set_delivered(due[0], now_ms);
      }
    };
    list(many);
    list(many, ++now_ms);
    deliver_all();
    CHECK(sent.size() == 500);
    list(many, ++now_ms);
    const auto given_up = claim(now_ms).front();
    webhooks.set_failed(given_up, "no connection", std::nullopt);
    deliver_all();
    CHECK(sent.size() == 999);
    list(many, ++now_ms);
    deliver_all();
    CHECK(sent.size() == 1'199);
    CHECK(webhooks.undelivered("anna").front().id == given_up.id);
  }

  TEST_CASE_FIXTURE(WebhookFixture, "a webhook that ends while changes are read gets no messages (WEB-47)") {
    set("anna", "acc_1");
    list({"a"});
    const auto webhook = *webhooks.find("anna");
    webhooks.end(claim().front(), "the receiver answered 410");
    webhooks.add_changes(webhook, {{"msg_b", "", "b"}}, {{"a", "b"}, true}, kStart);
    CHECK(undelivered() == 1);
  }

  TEST_CASE_FIXTURE(WebhookFixture, "what is sent again during its last try is not given up (WEB-46)") {
    set("anna", "acc_1");
    list({"a"});
    webhooks.set_failed(claim().front(), "no connection", kStart);
    const auto last = claim().front();
    CHECK(webhooks.resend("anna", last.id, kStart));
    webhooks.set_failed(last, "no connection", std::nullopt);
    const auto again = claim();
    REQUIRE(again.size() == 1);
    CHECK(again[0].tries == 0);
  }

  TEST_CASE_FIXTURE(WebhookFixture, "a clock that was a day ahead delays neither checks nor messages") {
    constexpr std::int64_t kInterval = 300'000;
    set("anna", "acc_1");
    list({"a"});
    CHECK(webhooks.claim_checks(kStart + kDay, kInterval).size() == 1);
    CHECK(claim(kStart + kDay).size() == 1);
    CHECK(webhooks.claim_checks(kStart + kInterval, kInterval).size() == 1);
    CHECK(claim(kStart + kInterval).size() == 1);
    CHECK(webhooks.claim_checks(kStart + kInterval, kInterval).empty());
    CHECK(claim(kStart + kInterval).empty());
  }

  TEST_CASE_FIXTURE(WebhookFixture, "one server sends to a person at a time, for as long as its lease (WEB-47)") {
    set("anna", "acc_1");
    set("bela", "acc_2");
    list({"a", "b"});
    webhooks.add_message("bela", {"msg_test", "test", ""}, kStart);
    CHECK(claim(kStart, 1).size() == 1);
    const auto second = claim();
    REQUIRE(second.size() == 1);
    CHECK(second[0].id == "msg_test");
    CHECK(claim().empty());
    CHECK(claim(kStart + kLease - 1).empty());
    const auto again = claim(kStart + kLease);
    REQUIRE(again.size() == 2);
    CHECK(again[0].address == "https://anna.example/");
    CHECK(again[0].secret == "secret anna");
    CHECK(again[0].body == "body of a");
    webhooks.set_delivered(second[0], kStart + kLease);  // late: the lease is another server's now
    CHECK(claim(kStart + kLease).empty());
    webhooks.set_delivered(again[0], kStart + kLease + 5);
    CHECK(webhooks.find("anna")->delivered_ms == kStart + kLease + 5);
    CHECK(undelivered() == 1);
    const auto next = claim(kStart + kLease + 5);
    REQUIRE(next.size() == 1);
    CHECK(next[0].body == "body of b");
    CHECK(webhooks.resend("anna", next[0].id, kStart));
    CHECK(claim(kStart + kLease + 5).empty());  // it is being sent
  }

  TEST_CASE_FIXTURE(WebhookFixture, "a backlog of one person delays no other (WEB-47)") {
    set("anna", "acc_1");
    set("bela", "acc_2");
    for (int i = 0; i < 400; ++i) webhooks.add_message("anna", {"msg_" + std::to_string(i), "", ""}, kStart);
    webhooks.add_message("bela", {"msg_bela", "", ""}, kStart + 1);
    CHECK(claim(kStart + 1).size() == 2);
    people.begin_deletion("anna");
    CHECK(claim(kStart + 1 + kLease).size() == 1);
  }

  TEST_CASE_FIXTURE(WebhookFixture, "a failed message waits, is given up, or ends the webhook; it can be sent again") {
    set("anna", "acc_1");
    list({"a", "b"});
    auto one = claim().front();
    webhooks.set_failed(one, "no connection", kStart + 5'000);
    webhooks.set_delivered(claim().front(), kStart);
    CHECK(claim(kStart + 4'999).empty());
    one = claim(kStart + 5'000).front();
    CHECK(one.tries == 1);
    webhooks.set_failed(one, "no connection", std::nullopt);
    CHECK(claim(kEver - kLease).empty());
    auto shown = webhooks.undelivered("anna").front();
    CHECK(shown.is_given_up);
    CHECK(shown.tries == 2);
    CHECK(shown.error == "no connection");
    CHECK_FALSE(webhooks.resend("bela", one.id, kStart));
    CHECK(webhooks.resend("ANNA", one.id, kStart));
    one = claim().front();
    CHECK(one.tries == 0);
    list({"a", "b", "c"}, kStart + 1);
    webhooks.end(one, "the receiver answered 410");
    CHECK(webhooks.find("anna")->is_ended);
    for (const auto& message : webhooks.undelivered("anna")) CHECK(message.is_given_up);
    CHECK(undelivered() == 2);
    CHECK_FALSE(webhooks.resend("anna", one.id, kStart));
    CHECK(webhooks.add_message("anna", {"msg_test", "", ""}, kStart) == WebhookStore::Added::no_webhook);
    CHECK(webhooks.claim_checks(kEver, 0).empty());
  }

  TEST_CASE_FIXTURE(WebhookFixture, "license changes are read once per interval, and messages are bounded (WEB-46)") {
    set("anna", "acc_1");
    set("bela", "acc_2");
    CHECK(webhooks.claim_checks(kStart + 99, 100).empty());
    CHECK(webhooks.claim_checks(kStart + 100, 100).size() == 2);
    CHECK(webhooks.claim_checks(kStart + 199, 100).empty());
    for (int i = 0; i < 500; ++i) webhooks.add_message("anna", {"msg_" + std::to_string(i), "", ""}, kStart + i);
    CHECK(webhooks.add_message("anna", {"msg_last", "", ""}, kStart) == WebhookStore::Added::too_many);
    list({"newest"}, kStart + 1'000);
    std::int64_t count = 0;
    store->transact([&](sql::Transaction& transaction) {
      count = std::get<std::int64_t>(transaction.execute("SELECT COUNT(*) FROM site_webhook_messages")[0][0]);
    });
    CHECK(count == 401);
    CHECK(webhooks.undelivered("anna").front().id == "msg_newest1001000");
  }

  TEST_CASE_FIXTURE(WebhookFixture, "a webhook ends with its person (WEB-11)") {
    set("anna", "acc_1");
    list({"a"});
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
