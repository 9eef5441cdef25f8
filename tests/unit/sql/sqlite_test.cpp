#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "scratch_folder.h"
#include "tonearm/sqlite.h"

using namespace tonearm::sql;

namespace {

std::unique_ptr<Store> open_store(const std::string& name) {
  return make_sqlite_store(open_sqlite(name, OpenMode::read_write_create));
}

void run(Store& store, const std::string& statement) {
  store.transact([&](Transaction& transaction) { transaction.execute(statement); });
}

Rows query(Store& store, const std::string& statement) {
  Rows rows;
  store.transact([&](Transaction& transaction) { rows = transaction.execute(statement); });
  return rows;
}

std::int64_t count_rows(Store& store) {
  return std::get<std::int64_t>(query(store, "SELECT COUNT(*) FROM numbers").at(0).at(0));
}

}  // namespace

TEST_CASE("values of every type are read as they were bound") {
  const auto store = open_store(":memory:");
  run(*store, "CREATE TABLE things (id BIGINT, thing)");
  const Value values[] = {std::monostate{},
                          std::int64_t{0},
                          std::int64_t{INT64_MIN},
                          std::int64_t{INT64_MAX},
                          std::string(),
                          std::string("a'\"; DROP TABLE things; -- \xc3\xa9"),
                          std::string("with a\0 zero", 12),
                          Blob{std::string("\0\xff\x80", 3)},
                          Blob{}};
  std::int64_t id = 0;
  for (const Value& value : values) {
    ++id;
    store->transact([&](Transaction& transaction) {
      transaction.execute("INSERT INTO things VALUES (?1, ?2)", {id, value});
      const Rows rows = transaction.execute("SELECT thing, ?2 FROM things WHERE id = ?1", {id, value});
      REQUIRE(rows.size() == 1);
      CHECK(rows[0][0] == value);
      CHECK(rows[0][1] == value);
    });
  }
}

TEST_CASE("a transaction whose body throws changes nothing, and the store keeps working") {
  const auto store = open_store(":memory:");
  run(*store, "CREATE TABLE numbers (number BIGINT PRIMARY KEY)");
  CHECK_THROWS_AS(store->transact([](Transaction& transaction) {
    transaction.execute("INSERT INTO numbers VALUES (1)");
    throw std::runtime_error("enough");
  }),
                  std::runtime_error);
  CHECK(count_rows(*store) == 0);
  CHECK_THROWS_AS(store->transact([](Transaction& transaction) {
    transaction.execute("INSERT INTO numbers VALUES (1)");
    transaction.execute("INSERT INTO numbers VALUES (1)");
  }),
                  Failure);
  CHECK(count_rows(*store) == 0);
  run(*store, "INSERT INTO numbers VALUES (1)");
  CHECK(count_rows(*store) == 1);
}

TEST_CASE("a failed statement can be used again") {
  const auto store = open_store(":memory:");
  run(*store, "CREATE TABLE numbers (number BIGINT PRIMARY KEY)");
  const auto insert = [&](std::int64_t number) {
    store->transact(
        [&](Transaction& transaction) { transaction.execute("INSERT INTO numbers VALUES (?1)", {number}); });
  };
  insert(1);
  CHECK_THROWS_AS(insert(1), Failure);
  insert(2);
  CHECK(count_rows(*store) == 2);
}

TEST_CASE("programming errors are distinct from failures of the database") {
  const auto store = open_store(":memory:");
  CHECK_THROWS_AS(run(*store, "SELECT 1; SELECT 2"), std::logic_error);
  CHECK_THROWS_AS(run(*store, ""), std::logic_error);
  CHECK_THROWS_AS(run(*store, "SELECT ?1"), std::logic_error);
  CHECK_THROWS_AS(store->transact([&](Transaction& /*outer*/) { store->transact([](Transaction& /*inner*/) {}); }),
                  std::logic_error);
  CHECK_THROWS_AS(run(*store, "SELECT nothing FROM nowhere"), Failure);
  CHECK_THROWS_AS(run(*store, "SELECT 0.5"), Failure);
  CHECK(query(*store, "SELECT 7;\n").at(0).at(0) == Value(std::int64_t{7}));
}

TEST_CASE("committed changes are there after the file is opened again") {
  const tonearm::test::ScratchFolder folder;
  {
    const auto store = open_store(folder.path("state.sqlite"));
    run(*store, "CREATE TABLE numbers (number BIGINT)");
    run(*store, "INSERT INTO numbers VALUES (1), (2)");
    CHECK(query(*store, "PRAGMA journal_mode").at(0).at(0) == Value(std::string("wal")));
    CHECK(query(*store, "PRAGMA synchronous").at(0).at(0) == Value(std::int64_t{2}));
    CHECK(query(*store, "PRAGMA foreign_keys").at(0).at(0) == Value(std::int64_t{1}));
  }
  CHECK(count_rows(*open_store(folder.path("state.sqlite"))) == 2);
}

TEST_CASE("transactions of many threads run one after another") {
  const auto store = open_store(":memory:");
  run(*store, "CREATE TABLE numbers (number BIGINT)");
  run(*store, "INSERT INTO numbers VALUES (0)");
  std::vector<std::thread> threads;
  threads.reserve(8);
  for (int thread = 0; thread < 8; ++thread) {
    threads.emplace_back([&] {
      for (int round = 0; round < 50; ++round) {
        store->transact([](Transaction& transaction) {
          const auto number = std::get<std::int64_t>(transaction.execute("SELECT number FROM numbers").at(0).at(0));
          transaction.execute("UPDATE numbers SET number = ?1", {number + 1});
        });
      }
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(query(*store, "SELECT number FROM numbers").at(0).at(0) == Value(std::int64_t{400}));
}

TEST_CASE("a snapshot opens as immutable with any possible file name") {
  const tonearm::test::ScratchFolder folder;
  for (const auto* name : {"plain.sqlite", "with space.sqlite", "50%25.sqlite", "a?mode=rw.sqlite", "a#b.sqlite",
                           "k\xc3\xa9y&x=1.sqlite"}) {
    CAPTURE(name);
    const std::string file = folder.path(name);
    {
      // Names must not start like a URI; nothing else in them is special.
      const SqliteHandle made = open_sqlite(file, OpenMode::read_write_create);
      execute(made.get(), "CREATE TABLE numbers (number); INSERT INTO numbers VALUES (42)");
    }
    const SqliteHandle database = open_sqlite(file, OpenMode::read_only_immutable);
    Statement select(database.get(), "SELECT number FROM numbers");
    CHECK(select.step());
    CHECK(select.integer(0) == 42);
    select.reset();
    CHECK_THROWS_AS(execute(database.get(), "DELETE FROM numbers"), Failure);
  }
}

TEST_CASE("opening a file that is not a database fails with its name") {
  const tonearm::test::ScratchFolder folder;
  std::ofstream(folder.path("text.sqlite")) << std::string(4'096, 'x');
  for (const auto mode : {OpenMode::read_write_create, OpenMode::read_only, OpenMode::read_only_immutable}) {
    CHECK_THROWS_WITH_AS(open_sqlite(folder.path("text.sqlite"), mode), doctest::Contains("text.sqlite"), Failure);
  }
  CHECK_THROWS_AS(open_sqlite(folder.path("absent.sqlite"), OpenMode::read_only), Failure);
  CHECK_THROWS_AS(open_sqlite(folder.path("absent.sqlite"), OpenMode::read_only_immutable), Failure);
  CHECK_FALSE(std::filesystem::exists(folder.path("absent.sqlite")));
  CHECK_THROWS_AS(open_sqlite(folder.path("x"), OpenMode::read_only, "no-such-vfs"), Failure);
}
