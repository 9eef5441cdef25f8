#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>
#include <vector>

#include "lossy_proxy.h"
#include "own_schema.h"
#include "postgresql/postgresql_store.h"
#include "postgresql_server.h"
#include "system/work_deadline.h"

using namespace tonearm::sql;
using std::chrono::milliseconds;
using std::chrono::steady_clock;
using tonearm::native::open_postgresql;
using tonearm::test::define;
using tonearm::test::fresh_schema;
using tonearm::test::LossyProxy;
using tonearm::test::number;
using tonearm::test::query;

namespace {

/// Returns the URL with another folder of the socket.
std::string through(const LossyProxy& proxy, const std::string& url) {
  const auto begin = url.find("host=") + 5;
  const auto end = url.find('&', begin);
  return url.substr(0, begin) + proxy.host() + url.substr(std::min(end, url.size()));
}

std::string socket_in(const std::string& url) {
  const auto begin = url.find("host=") + 5;
  return url.substr(begin, url.find('&', begin) - begin) + "/.s.PGSQL.5432";
}

std::unique_ptr<Store> open_with_check(const std::string& url, milliseconds check_after = std::chrono::seconds(30)) {
  tonearm::native::PostgresqlOptions options;
  options.url = url;
  options.check_after = check_after;
  return open_postgresql(options);
}

}  // namespace

// HOST-3
TEST_CASE("a write is made once if its COMMIT or the reply was lost, at either isolation level") {
  using Transact = void (Store::*)(const std::function<void(Transaction&)>&);
  for (const Transact transact : {&Store::transact, &Store::transact_read_committed}) {
    for (const auto loss : {LossyProxy::Loss::answer, LossyProxy::Loss::query, LossyProxy::Loss::late}) {
      const std::string url = fresh_schema();
      LossyProxy proxy(socket_in(url));
      const auto store = open_with_check(through(proxy, url));
      define(*store, "CREATE TABLE numbers (number BIGINT)");
      int runs = 0;
      for (int round = 1; round <= 3; ++round) {
        runs = 0;
        (store.get()->*transact)([&](Transaction& transaction) {
          transaction.execute("INSERT INTO numbers VALUES (?1)", {std::int64_t{round}});
          if (++runs == 1) proxy.lose(loss);
        });
        CHECK(number(*store, "SELECT COUNT(*) FROM numbers") == round);
      }
      CHECK(runs == (loss == LossyProxy::Loss::answer ? 1 : 2));
      proxy.deliver();
      CHECK(number(*store, "SELECT COUNT(*) FROM numbers") == 3);
    }
  }
}

TEST_CASE("a transaction that loses its connection is retried") {
  const std::string url = fresh_schema();
  LossyProxy proxy(socket_in(url));
  const auto store = open_with_check(through(proxy, url));
  define(*store, "CREATE TABLE numbers (number BIGINT)");
  int runs = 0;
  store->transact([&](Transaction& transaction) {
    transaction.execute("INSERT INTO numbers VALUES (1)");
    if (++runs == 1) proxy.lose(LossyProxy::Loss::answer);
    transaction.execute("INSERT INTO numbers VALUES (2)");
  });
  CHECK(runs == 2);
  CHECK(number(*store, "SELECT COUNT(*) FROM numbers") == 2);
}

// HOST-29
TEST_CASE("a call past its deadline sends no query and does not affect the next one") {
  const std::string url = fresh_schema();
  const auto store = open_with_check(url);
  {
    const tonearm::native::WorkDeadline over(steady_clock::now());
    CHECK_THROWS_WITH_AS(query(*store, "SELECT 1"), doctest::Contains("the deadline of the call has passed"),
                         tonearm::sql::Failure);
  }
  CHECK(number(*store, "SELECT 1") == 1);
}

TEST_CASE("all waits of a call end at its deadline without affecting other calls") {
  const std::string url = fresh_schema();
  const auto store = open_with_check(url);
  int runs = 0;
  {
    const tonearm::native::WorkDeadline soon(steady_clock::now() + milliseconds(300));
    const auto sleep = [&](Transaction& transaction) {
      ++runs;
      transaction.execute("SELECT 1 FROM pg_sleep(3)");
    };
    CHECK_THROWS_WITH_AS(store->transact(sleep), doctest::Contains("no answer in time"), tonearm::sql::Failure);
  }
  CHECK(runs == 1);
  CHECK(number(*store, "SELECT 1") == 1);
}

// SERVICE-12
TEST_CASE("while the server is down every call fails at once, and calls succeed again when it is back") {
  const tonearm::test::PostgresqlFolder folder;
  tonearm::test::PostgresqlServer server(folder.path(), tonearm::test::settings_for_state());
  const auto store = open_with_check(server.url());
  define(*store, "CREATE TABLE state_meta (name TEXT)");
  define(*store, "CREATE TABLE numbers (number BIGINT PRIMARY KEY)");
  query(*store, "INSERT INTO numbers VALUES (0)");
  for (const int signal : {SIGINT, SIGQUIT}) {
    server.stop(signal);
    for (int call = 0; call < 20; ++call) {
      const auto began = steady_clock::now();
      CHECK_THROWS_AS(query(*store, "SELECT number FROM numbers"), tonearm::sql::Failure);
      CHECK(steady_clock::now() - began < milliseconds(2'000));
    }
    server.start();
    bool answered = false;
    for (int look = 0; look < 100 && !answered; ++look) {
      try {
        answered = number(*store, "SELECT COUNT(*) FROM numbers") == 1;
      } catch (const tonearm::sql::Failure&) {
        std::this_thread::sleep_for(milliseconds(50));
      }
    }
    CHECK(answered);
  }
}

TEST_CASE("while the server is unresponsive, only one thread at a time waits for it") {
  const std::string url = fresh_schema();
  LossyProxy proxy(socket_in(url));
  const auto store = open_with_check(through(proxy, url));
  proxy.fall_silent();
  proxy.lose(LossyProxy::Loss::query);
  CHECK_THROWS_AS(query(*store, "SELECT 1"), tonearm::sql::Failure);
  std::atomic<int> slow = 0;
  std::atomic<int> quick = 0;
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      const auto ends = steady_clock::now() + milliseconds(1'500);
      while (steady_clock::now() < ends) {
        const auto began = steady_clock::now();
        CHECK_THROWS_AS(query(*store, "SELECT 1"), tonearm::sql::Failure);
        ++(steady_clock::now() - began > milliseconds(1'000) ? slow : quick);
        std::this_thread::sleep_for(milliseconds(20));
      }
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(slow == 1);
  CHECK(quick > 20);
  proxy.speak();
  std::this_thread::sleep_for(milliseconds(300));
  CHECK(number(*store, "SELECT 1") == 1);
}

TEST_CASE("a silently dropped connection fails no call if it was idle for long") {
  const std::string url = fresh_schema();
  LossyProxy proxy(socket_in(url));
  const auto store = open_with_check(through(proxy, url), milliseconds(0));
  CHECK(number(*store, "SELECT 1") == 1);
  proxy.lose(LossyProxy::Loss::silence);
  const auto began = steady_clock::now();
  CHECK(number(*store, "SELECT 2") == 2);
  CHECK(steady_clock::now() - began < milliseconds(3'000));
}

TEST_CASE("restarts under load lose no acknowledged write and repeat none") {
  const tonearm::test::PostgresqlFolder folder;
  tonearm::test::PostgresqlServer server(folder.path(), tonearm::test::settings_for_state());
  const auto store = open_with_check(server.url());
  define(*store, "CREATE TABLE state_meta (name TEXT)");
  define(*store, "CREATE TABLE numbers (number BIGINT)");  // no key, so a repeated write is visible
  std::atomic<bool> ends = false;
  std::atomic<std::int64_t> next = 0;
  std::vector<std::vector<std::int64_t>> answered(4);
  std::vector<std::thread> threads;
  threads.reserve(answered.size());
  for (auto& mine : answered) {
    threads.emplace_back([&] {
      while (!ends) {
        const std::int64_t value = ++next;
        try {
          store->transact(
              [&](Transaction& transaction) { transaction.execute("INSERT INTO numbers VALUES (?1)", {value}); });
          mine.push_back(value);
        } catch (const tonearm::sql::Failure&) {
          std::this_thread::sleep_for(milliseconds(10));
        }
      }
    });
  }
  for (const int signal : {SIGINT, SIGQUIT, SIGINT}) {
    std::this_thread::sleep_for(milliseconds(300));
    server.stop(signal);
    std::this_thread::sleep_for(milliseconds(100));
    server.start();
  }
  std::this_thread::sleep_for(milliseconds(600));
  ends = true;
  for (auto& thread : threads) thread.join();
  std::size_t total = 0;
  for (const auto& mine : answered) {
    total += mine.size();
    store->transact([&](Transaction& transaction) {
      for (const std::int64_t value : mine) {
        const Rows rows = transaction.execute("SELECT COUNT(*) FROM numbers WHERE number = ?1", {value});
        CHECK(std::get<std::int64_t>(rows.at(0).at(0)) == 1);
      }
    });
  }
  CHECK(total > 20);
  CHECK(query(*store, "SELECT number FROM numbers GROUP BY number HAVING COUNT(*) > 1").empty());
}
