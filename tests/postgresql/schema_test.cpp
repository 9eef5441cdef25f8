// Changes of tables whose statements the database commits one by one
// (docs/adr/0163-ddl-statements-run-by-themselves.md).

#include "state/schema.h"

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include "fakes.h"
#include "first_schema.h"
#include "own_schema.h"
#include "postgresql/postgresql_store.h"
#include "state/accounts/retention.h"
#include "state/call_partitions.h"

using namespace tonearm;
using namespace tonearm::state;
using test::define;
using test::fresh_schema;
using test::number;
using test::query;

namespace {

std::unique_ptr<sql::Store> connect_to(const std::string& url) {
  native::PostgresqlOptions options;
  options.url = url;
  options.connections_max = 2;
  return native::open_postgresql(options);
}

/// Ends a change of tables after some of its steps.
class InterruptedStore final : public sql::Store {
 public:
  InterruptedStore(sql::Store& store, int steps) : store_(store), steps_(steps) {}

  void transact(const std::function<void(sql::Transaction&)>& body) override { store_.transact(body); }
  void change_schema(sql::DiskSpace space, const std::function<void(sql::SchemaChange&)>& body) override {
    store_.change_schema(space, [&](sql::SchemaChange& change) {
      Interrupted interrupted(change, steps_);
      body(interrupted);
    });
  }

 private:
  class Interrupted final : public sql::SchemaChange {
   public:
    Interrupted(sql::SchemaChange& change, int& steps_left) : change_(change), steps_left_(steps_left) {}
    void execute_ddl(std::string_view statement) override {
      step();
      change_.execute_ddl(statement);
    }
    void transact(const std::function<void(sql::Transaction&)>& body) override {
      step();
      change_.transact(body);
    }
    std::string_view create_table_suffix() const override { return change_.create_table_suffix(); }

   private:
    void step() {
      if (steps_left_-- == 0) throw sql::Failure("the server was killed");
    }

    sql::SchemaChange& change_;
    int& steps_left_;
  };

  sql::Store& store_;
  int steps_;
};

/// Returns all columns, and all indexes without the name of the schema.
sql::Rows tables_of(sql::Store& store) {
  return query(store,
               "SELECT table_name::text AS one, column_name::text AS two, data_type::text AS three,"
               " is_nullable::text AS four, column_default::text AS five FROM information_schema.columns"
               " WHERE table_schema = current_schema() UNION ALL"
               " SELECT tablename::text, indexname::text, replace(indexdef, current_schema()::text, ''), '', ''"
               " FROM pg_indexes WHERE schemaname = current_schema() ORDER BY one, two, three");
}

void open_state(sql::Store& store) {
  test::SeededRandom random(1);
  open_schema(store, random, "a secret");
}

}  // namespace

TEST_CASE("DDL inside a transaction is a programming error") {
  const auto store = connect_to(fresh_schema());
  for (const auto* ddl : {"CREATE TABLE things (id BIGINT)", "DROP TABLE state_connections",
                          "ALTER TABLE state_connections ADD COLUMN more BIGINT"}) {
    CHECK_THROWS_AS(query(*store, ddl), std::logic_error);
  }
}

TEST_CASE("DDL that was executed before is not an error, any other failure is") {
  const auto store = connect_to(fresh_schema());
  for (int round = 0; round < 2; ++round) {
    define(*store, "CREATE TABLE things (id BIGINT)");
    define(*store, "ALTER TABLE things ADD COLUMN name TEXT");
    define(*store, "CREATE INDEX things_by_name ON things (name)");
  }
  CHECK_THROWS_WITH_AS(define(*store, "CREATE INDEX more ON things (nothing)"), doctest::Contains("nothing"),
                       sql::Failure);
  CHECK(number(*store, "SELECT COUNT(*) FROM things") == 0);
}

TEST_CASE("an index that was not completed is not accepted") {
  const auto store = connect_to(fresh_schema());
  define(*store, "CREATE TABLE things (id BIGINT)");
  query(*store, "INSERT INTO things VALUES (1), (1)");
  const std::string ddl = "CREATE UNIQUE INDEX CONCURRENTLY things_by_id ON things (id)";
  CHECK_THROWS_AS(define(*store, ddl), sql::Failure);
  CHECK_THROWS_WITH_AS(define(*store, ddl), doctest::Contains("things_by_id is incomplete"), sql::Failure);
  define(*store, "DROP INDEX things_by_id");
  define(*store, "CREATE INDEX things_by_id ON things (id)");
  define(*store, "CREATE INDEX things_by_id ON things (id)");
}

TEST_CASE("a migration that was interrupted anywhere is completed by the next server, and no record is lost") {
  const auto whole = connect_to(fresh_schema());
  test::make_first_schema(*whole);
  open_state(*whole);
  const sql::Rows expected = tables_of(*whole);
  int steps = 0;
  for (bool was_interrupted = true; was_interrupted; ++steps) {
    CAPTURE(steps);
    const auto store = connect_to(fresh_schema());
    test::make_first_schema(*store);
    was_interrupted = false;
    try {
      InterruptedStore interrupted(*store, steps);
      open_state(interrupted);
    } catch (const sql::Failure&) {
      was_interrupted = true;
    }
    open_state(*store);
    CHECK(tables_of(*store) == expected);
    test::check_first_records(*store);
  }
  CHECK(steps > 30);
}

void check_servers_at_once(bool has_records) {
  const auto whole = connect_to(fresh_schema());
  const std::string url = fresh_schema();
  if (has_records) test::make_first_schema(*whole);
  if (has_records) test::make_first_schema(*connect_to(url));
  open_state(*whole);
  std::atomic<int> opened = 0;
  std::vector<std::thread> servers;
  servers.reserve(4);
  for (int server = 0; server < 4; ++server) {
    servers.emplace_back([&] {
      try {
        open_state(*connect_to(url));
        ++opened;
      } catch (const std::exception& failure) {
        MESSAGE(failure.what());
      }
    });
  }
  for (auto& server : servers) server.join();
  CHECK(opened == 4);
  const auto store = connect_to(url);
  CHECK(tables_of(*store) == tables_of(*whole));
  CHECK(query(*store, "SELECT value FROM state_meta WHERE name = 'runs'").at(0).at(0) ==
        sql::Value(has_records ? "7" : "4"));
  if (has_records) test::check_first_records(*store);
}

TEST_CASE("several servers create the tables of one state at once") { check_servers_at_once(false); }
TEST_CASE("several servers migrate one state at once, and no record is lost") { check_servers_at_once(true); }

// RECORD-3
TEST_CASE("a partition that was not dropped completely is dropped by the next attempt") {
  const Partition partition{PartitionKind::search_texts, 20'000};
  for (int steps = 0; steps < 3; ++steps) {
    CAPTURE(steps);
    const auto store = connect_to(fresh_schema());
    open_state(*store);
    transact_with_partitions(*store, [&](sql::Transaction& transaction) { require_partition(transaction, partition); });
    store->transact([&](sql::Transaction& transaction) { end_partition(transaction, partition); });
    InterruptedStore interrupted(*store, steps);
    CHECK_THROWS_AS(drop_partition(interrupted, partition), sql::Failure);
    std::optional<Partition> left;
    store->transact([&](sql::Transaction& transaction) { left = ended_partition(transaction); });
    REQUIRE(left.has_value());
    CHECK(table_of(*left) == table_of(partition));
    drop_partition(*store, *left);
    CHECK(number(*store, "SELECT COUNT(*) FROM call_parts") == 0);
    CHECK(number(*store,
                 "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = current_schema()"
                 " AND table_name = '" +
                     table_of(partition) + "'") == 0);
  }
}

TEST_CASE("an ended partition that is written again is not dropped") {
  const Partition partition{PartitionKind::records, 20'000};
  const auto store = connect_to(fresh_schema());
  open_state(*store);
  const auto require = [&](sql::Transaction& transaction) { require_partition(transaction, partition); };
  transact_with_partitions(*store, require);
  store->transact([&](sql::Transaction& transaction) { end_partition(transaction, partition); });
  transact_with_partitions(*store, require);
  drop_partition(*store, partition);
  CHECK(number(*store, "SELECT COUNT(*) FROM " + table_of(partition)) == 0);
  CHECK(number(*store, "SELECT COUNT(*) FROM call_parts") == 1);
}

TEST_CASE("retention continues if a partition is listed and its table was dropped") {
  const auto store = connect_to(fresh_schema());
  open_state(*store);
  test::FakeClock clock;
  const Partition old{PartitionKind::search_texts, day_number(clock.now_ms()) - 100};
  transact_with_partitions(*store, [&](sql::Transaction& transaction) { require_partition(transaction, old); });
  define(*store, "DROP TABLE " + table_of(old));
  while (run_retention_step(*store, clock)) continue;
  CHECK(number(*store, "SELECT COUNT(*) FROM call_parts") == 0);
}
