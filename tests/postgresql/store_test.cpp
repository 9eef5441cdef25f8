#include "postgresql/postgresql_store.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "own_schema.h"
#include "postgresql/postgresql_connection.h"

using namespace tonearm::sql;
using tonearm::native::native_statement;
using tonearm::native::open_postgresql;
using tonearm::native::PostgresqlOptions;
using tonearm::test::define;
using tonearm::test::fresh_schema;
using tonearm::test::number;
using tonearm::test::query;

namespace {

std::unique_ptr<Store> open_at(const std::string& url, std::size_t connections_max = 8) {
  PostgresqlOptions options;
  options.url = url;
  options.connections_max = connections_max;
  return open_postgresql(options);
}

}  // namespace

TEST_CASE("parameters are translated to PostgreSQL's syntax, except inside quotes") {
  CHECK(native_statement("SELECT ?1, '?2', \"?3\", ?12;\n").text == "SELECT $1, '?2', \"?3\", $12\n");
  CHECK(native_statement("SELECT ?1, ?12").parameters == 12);
  CHECK(native_statement("SELECT 'it''s ?1'").parameters == 0);
  for (const auto* text : {"", " ;", "SELECT 1; SELECT 2"}) CHECK_THROWS_AS(native_statement(text), std::logic_error);
}

TEST_CASE("values of every type are returned by PostgreSQL as they were bound") {
  const auto store = open_at(fresh_schema());
  define(*store, "CREATE TABLE things (id BIGINT, a_number BIGINT, a_text TEXT, a_blob BYTEA)");
  const Row rows[] = {{std::int64_t{1}, std::int64_t{0}, std::string(), Blob{}},
                      {std::int64_t{2}, std::int64_t{INT64_MIN}, std::string("a'\"; DROP TABLE things; -- \xc3\xa9"),
                       Blob{std::string("\0\xff\x80", 3)}},
                      {std::int64_t{3}, std::int64_t{INT64_MAX}, std::string("\\x41 \\ ?1 $1"), Blob{"plain"}},
                      {std::int64_t{4}, std::monostate{}, std::monostate{}, std::monostate{}}};
  for (const Row& row : rows) {
    store->transact([&](Transaction& transaction) {
      transaction.execute("INSERT INTO things VALUES (?1, ?2, ?3, ?4)", row);
      CHECK(transaction.execute("SELECT * FROM things WHERE id = ?1", {row[0]}).at(0) == row);
    });
  }
  CHECK(query(*store, "SELECT SUM(id), COUNT(*), 1 = 1, 7 FROM things").at(0) ==
        Row{std::int64_t{10}, std::int64_t{4}, std::int64_t{1}, std::int64_t{7}});
  CHECK_THROWS_AS(query(*store, "SELECT 0.5"), tonearm::sql::Failure);
  CHECK_THROWS_AS(query(*store, "SELECT 0.5::float8"), tonearm::sql::Failure);
  const auto bind_zero = [&] {
    store->transact([](Transaction& transaction) {
      transaction.execute("INSERT INTO things (a_text) VALUES (?1)", {std::string("a\0b", 3)});
    });
  };
  CHECK_THROWS_AS(bind_zero(), tonearm::sql::Failure);
  CHECK(number(*store, "SELECT COUNT(*) FROM things") == 4);
}

TEST_CASE("a transaction on PostgreSQL whose body throws changes nothing, and the store stays usable") {
  const auto store = open_at(fresh_schema(), 1);
  define(*store, "CREATE TABLE numbers (number BIGINT PRIMARY KEY)");
  CHECK_THROWS_AS(store->transact([](Transaction& transaction) {
    transaction.execute("INSERT INTO numbers VALUES (1)");
    throw std::runtime_error("enough");
  }),
                  std::runtime_error);
  CHECK_THROWS_AS(store->transact([](Transaction& transaction) {
    transaction.execute("INSERT INTO numbers VALUES (1)");
    transaction.execute("INSERT INTO numbers VALUES (1)");
  }),
                  tonearm::sql::Failure);
  CHECK_THROWS_AS(store->transact([](Transaction& transaction) {
    try {
      transaction.execute("SELECT nothing FROM nowhere");
    } catch (const tonearm::sql::Failure&) {
      transaction.now_ms();  // throws: the transaction has failed, even if the body ignores it
    }
  }),
                  std::exception);
  CHECK(number(*store, "SELECT COUNT(*) FROM numbers") == 0);
  query(*store, "INSERT INTO numbers VALUES (1)");
  CHECK(number(*store, "SELECT COUNT(*) FROM numbers") == 1);
}

TEST_CASE("programming errors on PostgreSQL differ from failures of the database") {
  const auto store = open_at(fresh_schema());
  CHECK_THROWS_AS(query(*store, "SELECT 1; SELECT 2"), std::logic_error);
  CHECK_THROWS_AS(query(*store, ""), std::logic_error);
  CHECK_THROWS_AS(query(*store, "SELECT ?1"), std::logic_error);
  CHECK_THROWS_AS(store->transact([&](Transaction& /*outer*/) { store->transact([](Transaction& /*inner*/) {}); }),
                  std::logic_error);
  CHECK_THROWS_WITH_AS(query(*store, "SELECT nothing FROM nowhere"), doctest::Contains("nowhere"),
                       tonearm::sql::Failure);
  CHECK(number(*store, "SELECT 7;\n") == 7);
}

TEST_CASE("many rows use one round trip, and each returns its result") {
  const auto store = open_at(fresh_schema());
  define(*store, "CREATE TABLE numbers (number BIGINT PRIMARY KEY)");
  std::vector<Row> rows;
  for (std::int64_t value = 0; value < 5'000; ++value) rows.push_back({value / 2});
  store->transact([&](Transaction& transaction) {
    const auto all = transaction.execute_each(
        "INSERT INTO numbers VALUES (?1) ON CONFLICT (number) DO NOTHING RETURNING number", rows);
    REQUIRE(all.size() == rows.size());
    for (std::size_t index = 0; index < all.size(); ++index) CHECK(all[index].size() == (index % 2 == 0 ? 1 : 0));
    CHECK(transaction.execute_each("SELECT ?1", {}).empty());
  });
  CHECK(number(*store, "SELECT COUNT(*) FROM numbers") == 2'500);
}

TEST_CASE("concurrent transactions on PostgreSQL are serializable") {
  const auto store = open_at(fresh_schema(), 4);
  define(*store, "CREATE TABLE numbers (number BIGINT)");
  query(*store, "INSERT INTO numbers VALUES (0)");
  std::vector<std::thread> threads;
  threads.reserve(8);
  for (int thread = 0; thread < 8; ++thread) {
    threads.emplace_back([&] {
      for (int round = 0; round < 10; ++round) {
        store->transact([](Transaction& transaction) {
          const auto read = std::get<std::int64_t>(transaction.execute("SELECT number FROM numbers").at(0).at(0));
          transaction.execute("UPDATE numbers SET number = ?1", {read + 1});
        });
      }
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(number(*store, "SELECT number FROM numbers") == 80);
}

TEST_CASE("two transactions that check and then insert insert once") {
  const auto store = open_at(fresh_schema());
  define(*store, "CREATE TABLE numbers (number BIGINT PRIMARY KEY)");
  std::vector<std::thread> threads;
  for (std::int64_t thread = 0; thread < 6; ++thread) {
    threads.emplace_back([&store, thread] {
      store->transact([thread](Transaction& transaction) {
        if (!transaction.execute("SELECT number FROM numbers").empty()) return;
        transaction.execute("INSERT INTO numbers VALUES (?1)", {thread});
      });
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(number(*store, "SELECT COUNT(*) FROM numbers") == 1);
}

TEST_CASE("a transaction is retried if a table is dropped beside it, and fails at once if the table never existed") {
  const std::string url = fresh_schema();
  const auto reader = open_at(url);
  define(*reader, "CREATE TABLE state_meta (name TEXT)");
  define(*reader, "CREATE TABLE parts (number BIGINT)");
  query(*reader, "INSERT INTO parts VALUES (1)");
  define(*reader, "CREATE TABLE part_1 (number BIGINT)");
  const auto dropper = open_at(url);
  int runs = 0;
  reader->transact([&](Transaction& transaction) {
    const bool has_part = !transaction.execute("SELECT number FROM parts").empty();
    CHECK(has_part == (runs == 0));
    if (++runs > 1) return;
    std::thread([&] {
      define(*dropper, "DROP TABLE part_1");
      query(*dropper, "DELETE FROM parts");
    }).join();
    transaction.execute("SELECT number FROM part_1");
  });
  CHECK(runs == 2);
  CHECK_THROWS_WITH_AS(query(*reader, "SELECT number FROM part_1"), doctest::Contains("part_1"), tonearm::sql::Failure);
}

TEST_CASE("a transaction that waits too long for a lock is retried") {
  const std::string url = fresh_schema();
  tonearm::native::PostgresqlConnection holder(url, std::chrono::seconds(10));
  const auto store = open_at(url);
  define(*store, "CREATE TABLE numbers (number BIGINT)");
  holder.execute_one("BEGIN");
  holder.execute_one("LOCK TABLE numbers IN ACCESS EXCLUSIVE MODE");
  int runs = 0;
  store->transact([&](Transaction& transaction) {
    transaction.execute("SELECT set_config('lock_timeout', '20', true)");
    if (++runs == 2) holder.execute_one("COMMIT");
    transaction.execute("INSERT INTO numbers VALUES (1)");
  });
  CHECK(runs == 2);
  CHECK(number(*store, "SELECT COUNT(*) FROM numbers") == 1);
}

TEST_CASE("a connection is recycled after a number of prepared statements") {
  const auto store = open_at(fresh_schema(), 1);
  std::int64_t most = 0;
  for (int statement = 0; statement < 600; ++statement) {
    query(*store, "SELECT " + std::to_string(statement));
    if (statement % 20 == 0) most = std::max(most, number(*store, "SELECT COUNT(*) FROM pg_prepared_statements"));
  }
  CHECK(most > 200);
  CHECK(most < 300);
}

TEST_CASE("old rows in the driver's table are removed in steps") {
  PostgresqlOptions options;
  options.url = fresh_schema();
  options.sweep_every = std::chrono::milliseconds(0);
  const auto store = open_postgresql(options);
  define(*store, "CREATE TABLE state_meta (name TEXT)");
  query(*store,
        "INSERT INTO state_connections (connection, last_write, is_closed, used)"
        " SELECT 'old' || n, 1, 0, clock_timestamp() - INTERVAL '2 days' FROM generate_series(1, 1200) n");
  const char* const kOld = "SELECT COUNT(*) FROM state_connections WHERE connection LIKE 'old%'";
  std::vector<std::int64_t> left;
  left.reserve(4);
  for (int look = 0; look < 4; ++look) left.push_back(number(*store, kOld));
  CHECK(left == std::vector<std::int64_t>{700, 200, 0, 0});
  query(*store, "INSERT INTO state_connections VALUES ('fresh', 1, 0, clock_timestamp())");
  CHECK(number(*store, "SELECT COUNT(*) FROM state_connections WHERE connection = 'fresh'") == 1);

  PostgresqlOptions daily;
  daily.url = options.url;
  const auto other = open_postgresql(daily);
  query(*other, "INSERT INTO state_connections VALUES ('old', 1, 0, clock_timestamp() - INTERVAL '2 days')");
  CHECK(number(*other, kOld) == 1);
}

TEST_CASE("a failure that repeats on a new connection is permanent") {
  const auto store = open_at(fresh_schema());
  define(*store, "CREATE TABLE numbers (number BIGINT)");
  const auto fails_at_once = [&](const char* setting, const char* statement, const char* reason) {
    int runs = 0;
    const auto write = [&] {
      store->transact([&](Transaction& transaction) {
        ++runs;
        transaction.execute(setting);
        transaction.execute(statement);
      });
    };
    CHECK_THROWS_WITH_AS(write(), doctest::Contains(reason), tonearm::sql::Failure);
    CHECK(runs == 2);
  };
  fails_at_once("SELECT set_config('transaction_read_only', 'on', true)", "INSERT INTO numbers VALUES (1)", "25006");
  fails_at_once("SELECT 1", "SELECT number FROM elsewhere.public.numbers", "0A000");
  CHECK(number(*store, "SELECT COUNT(*) FROM numbers") == 0);
}

TEST_CASE("if the server accepts no more connections, calls wait for an open one") {
  const auto owner = open_at(fresh_schema());
  define(*owner, "CREATE ROLE few LOGIN CONNECTION LIMIT 2");
  const std::string url = fresh_schema();
  define(*owner, "GRANT ALL ON SCHEMA " + url.substr(url.rfind("%3D") + 3) + " TO few");
  const auto store = open_at(url.substr(0, url.find("//")) + "//few@" + url.substr(url.find('@') + 1), 6);
  define(*store, "CREATE TABLE numbers (number BIGINT)");
  std::vector<std::thread> threads;
  std::atomic<int> failed = 0;
  threads.reserve(6);
  for (int thread = 0; thread < 6; ++thread) {
    threads.emplace_back([&] {
      for (int round = 0; round < 10; ++round) {
        try {
          query(*store, "SELECT pg_sleep(0.02)::text");
        } catch (const tonearm::sql::Failure&) {
          ++failed;
        }
      }
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(failed == 0);
}

TEST_CASE("a transaction has one time, the database's, unless the caller has its own clock") {
  const std::string url = fresh_schema();
  const auto store = open_at(url);
  store->transact([](Transaction& transaction) {
    const auto first = transaction.now_ms();
    REQUIRE(first.has_value());
    transaction.execute("SELECT pg_sleep(0.01)::text");
    CHECK(transaction.now_ms() == first);
    const auto real = std::chrono::system_clock::now().time_since_epoch();
    CHECK(std::abs(std::chrono::duration_cast<std::chrono::milliseconds>(real).count() - *first) < 60'000);
  });
  PostgresqlOptions options;
  options.url = url;
  options.time = PostgresqlOptions::Time::of_caller;
  open_postgresql(options)->transact([](Transaction& transaction) { CHECK_FALSE(transaction.now_ms().has_value()); });
}

TEST_CASE("a database with another purpose, a wrong address and missing privileges are reported with the reason") {
  const std::string url = fresh_schema();
  define(*open_at(url), "CREATE TABLE invoices (number BIGINT)");
  CHECK_THROWS_WITH_AS(open_at(url), doctest::Contains("invoices"), tonearm::sql::Failure);
  CHECK_THROWS_WITH_AS(open_at("postgresql://somebody:s3cret@127.0.0.1:1/none"), doctest::Contains("127.0.0.1"),
                       tonearm::sql::Failure);
  for (const auto* wrong :
       {"postgresql://somebody:s3cret@127.0.0.1:1/none", "postgresql://a:s3cret%zz@h/d", "postgresql://a:s3cret@[h/d",
        "postgresql://a:b@s3cret@127.0.0.1/d", "postgresql://a:s3cret@h/d?no_such_option=1",
        "postgresql://a:s3cret+x/Zz@127.0.0.1/d", "postgresql://a:12/s3cret@127.0.0.1/d",
        "postgresql://a:12/x?sslmode=s3cret@127.0.0.1/d", "postgresql://a:s3cret"}) {
    try {
      open_at(wrong);
      FAIL("opened");
    } catch (const tonearm::sql::Failure& failure) {
      CHECK(std::string(failure.what()).find("s3cret") == std::string::npos);
    }
  }
  const auto owner = open_at(fresh_schema());
  define(*owner, "CREATE ROLE reader LOGIN");
  const std::string reader = fresh_schema();
  define(*owner, "GRANT USAGE ON SCHEMA " + reader.substr(reader.rfind("%3D") + 3) + " TO reader");
  const std::string as_reader = reader.substr(0, reader.find("//")) + "//reader@" + reader.substr(reader.find('@') + 1);
  CHECK_THROWS_WITH_AS(open_at(as_reader), doctest::Contains("permission denied"), tonearm::sql::Failure);
}
