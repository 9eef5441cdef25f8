#include <doctest/doctest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "fakes.h"
#include "own_schema.h"
#include "postgresql/postgresql_store.h"
#include "state/accounts/accounts.h"
#include "state/schema.h"
#include "system/system_ports.h"

using namespace tonearm;
using namespace tonearm::state;
using test::fresh_schema;
using test::number;
using Outcome = Admission::Outcome;

namespace {

using Time = native::PostgresqlOptions::Time;

std::unique_ptr<sql::Store> open_at(const std::string& url, Time time) {
  native::PostgresqlOptions options;
  options.url = url;
  options.connections_max = 4;
  options.time = time;
  return native::open_postgresql(options);
}

/// The parts of one server process.
struct Node {
  explicit Node(const std::string& url, Time time = Time::of_caller)
      : store(open_at(url, time)), accounts(Accounts::open({clock, random, hashing, *store}, {})) {}

  test::FakeClock clock;
  native::SystemRandom random;
  native::OpensslHashing hashing;
  std::unique_ptr<sql::Store> store;
  std::unique_ptr<Accounts> accounts;
};

struct ThreeNodes {
  std::string url = fresh_schema();
  Node nodes[3]{Node(url), Node(url), Node(url)};
  Accounts& operator[](std::size_t index) { return *nodes[index % 3].accounts; }
};

}  // namespace

TEST_CASE("eight threads on three servers get exactly as many calls as the plan allows") {
  ThreeNodes nodes;
  const std::string account = nodes[0].create_account(Plan::free)->account;
  const std::string keys[2]{nodes[0].create_key(account)->key, nodes[1].create_key(account)->key};
  std::atomic<int> admitted = 0;
  std::vector<std::thread> threads;
  for (std::size_t thread = 0; thread < 8; ++thread) {
    threads.emplace_back([&, thread] {
      for (std::size_t call = 0; call < 6; ++call) {
        const auto outcome = nodes[thread].admit(keys[call % 2]).outcome;
        admitted += outcome == Outcome::admitted ? 1 : 0;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(admitted == 20);
  CHECK(number(*nodes.nodes[0].store, "SELECT day_calls FROM call_counters") == 20);
}

TEST_CASE("calls, keys and session keys use the clock of the database, not those of the servers") {
  const std::string url = fresh_schema();
  Node node(url, Time::of_database);
  Node other(url, Time::of_database);
  other.clock.advance_ms(400LL * 86'400'000);
  const AccountInfo account = node.accounts->create_account(Plan::free).value();
  const NewKey session = node.accounts->create_session_key(account.account, 60).value();
  const std::string key = other.accounts->create_key(account.account)->key;
  CHECK(std::abs(account.created_ms - *session.expires_ms + 60'000) < 30'000);
  CHECK(std::abs(account.created_ms - test::FakeClock::kStartMs) > 60'000);
  CHECK(other.accounts->admit(session.key).outcome == Outcome::admitted);
  const Admission first = node.accounts->admit(key);
  const Admission second = other.accounts->admit(key);
  CHECK(std::abs(second.now_ms - first.now_ms) < 30'000);
  CHECK(second.rate->limits[1]->remaining == 298);
}

TEST_CASE("concurrent first calls of an account on all servers count once each") {
  ThreeNodes nodes;
  for (int round = 0; round < 5; ++round) {
    const std::string account = nodes[0].create_account(Plan::pro)->account;
    const std::string key = nodes[0].create_key(account)->key;
    std::vector<std::thread> threads;
    for (std::size_t thread = 0; thread < 6; ++thread) {
      threads.emplace_back([&, thread] { nodes[thread].admit(key); });
    }
    for (auto& thread : threads) thread.join();
    CHECK(number(*nodes.nodes[0].store, "SELECT month_calls FROM call_counters WHERE account = '" + account + "'") ==
          6);
  }
}

TEST_CASE("a change on one server applies to the next call on the others") {
  ThreeNodes nodes;
  for (int round = 0; round < 3; ++round) {
    const std::string account = nodes[0].create_account(Plan::free)->account;
    const NewKey key = nodes[0].create_key(account).value();
    const NewKey session = nodes[1].create_session_key(account, 60).value();
    for (std::size_t node = 0; node < 3; ++node) CHECK(nodes[node].admit(key.key).plan == Plan::free);
    CHECK(nodes[2].set_plan(account, Plan::unlimited).has_value());
    for (std::size_t node = 0; node < 3; ++node) CHECK_FALSE(nodes[node].admit(key.key).rate.has_value());
    CHECK(nodes[0].revoke_key(key.key_id).has_value());
    for (std::size_t node = 0; node < 3; ++node) CHECK(nodes[node].admit(key.key).outcome == Outcome::invalid_key);
    for (std::size_t node = 0; node < 3; ++node) CHECK(nodes[node].admit(session.key).first_party);
    CHECK(nodes[1].delete_account(account).has_value());
    for (std::size_t node = 0; node < 3; ++node) CHECK(nodes[node].admit(session.key).outcome == Outcome::invalid_key);
  }
  CHECK(number(*nodes.nodes[0].store, "SELECT COUNT(*) FROM call_counters") == 0);
}

TEST_CASE("an account has at most five keys, even if several servers create them concurrently") {
  ThreeNodes nodes;
  const std::string account = nodes[0].create_account(Plan::free)->account;
  std::atomic<int> made = 0;
  std::vector<std::thread> threads;
  for (std::size_t thread = 0; thread < 9; ++thread) {
    threads.emplace_back([&, thread] { made += nodes[thread].create_key(account).has_value() ? 1 : 0; });
  }
  for (auto& thread : threads) thread.join();
  CHECK(made == 5);
  CHECK(nodes[0].show_account(account)->active_keys == 5);
}

TEST_CASE("call records of all servers are written once each, with one total") {
  ThreeNodes nodes;
  const std::string account = nodes[0].create_account(Plan::free)->account;
  std::vector<std::thread> threads;
  for (std::size_t node = 0; node < 3; ++node) {
    threads.emplace_back([&, node] {
      for (int index = 0; index < 300; ++index) {
        CallRecord call;
        call.account = account;
        call.key_id = "key_x";
        call.at_ms = test::FakeClock::kStartMs + index;
        call.method = "GET";
        call.route = "/v1/search";
        call.status = 200;
        nodes[node].record(call);
        if (index % 50 == 49) nodes[node].flush();
      }
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(nodes[0].calls(account, 1'000)->size() == 900);
  CHECK(nodes[1].usage(account)->at(0).calls == 900);
}

TEST_CASE("servers that start concurrently on an empty database create one schema and one secret") {
  for (int round = 0; round < 3; ++round) {
    const std::string url = fresh_schema();
    std::vector<std::thread> threads;
    std::vector<OpenedSchema> opened(6);
    threads.reserve(opened.size());
    for (auto& one : opened) {
      threads.emplace_back([&] {
        native::SystemRandom random;
        const auto store = open_at(url, Time::of_database);
        one = open_schema(*store, random, {});
      });
    }
    for (auto& thread : threads) thread.join();
    std::int64_t runs = 0;
    for (const OpenedSchema& one : opened) {
      CHECK(one.key_secret == opened[0].key_secret);
      runs += one.run;
    }
    CHECK(runs == 1 + 2 + 3 + 4 + 5 + 6);
  }
}
