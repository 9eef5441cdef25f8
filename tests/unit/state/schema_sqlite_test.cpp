#include <doctest/doctest.h>

#include "fakes.h"
#include "first_schema.h"
#include "state/call_partitions.h"
#include "state/calls/call_rows.h"
#include "state/schema.h"
#include "state_store.h"

using namespace tonearm;
using namespace tonearm::state;
using test::define;
using test::make_first_schema;
using test::query;

namespace {

/// Sets a state back to the version before partitions had the column for deferred counts.
void set_back_to_14(sql::Store& store) {
  query(store, "UPDATE state_meta SET value = '14' WHERE name = 'schema_version'");
  define(store, "DROP TABLE collection_tracks");
}

}  // namespace

TEST_CASE("the primary key of every table except the deployment's own starts with the account") {
  const auto store = test::open_state_store(":memory:");
  test::SeededRandom random(1);
  open_schema(*store, random, "");
  transact_with_partitions(*store, [](sql::Transaction& transaction) {
    require_partition(transaction, {PartitionKind::records, 20'000});
    require_partition(transaction, {PartitionKind::search_texts, 20'000});
  });
  const sql::Rows tables = query(*store,
                                 "SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c"
                                 " WHERE t.type = 'table' AND c.pk = 1"
                                 " AND t.name NOT IN ('state_meta', 'call_parts', 'creations', 'take_downs')");
  CHECK(tables.size() >= 7);
  for (const sql::Row& row : tables) {
    CAPTURE(std::get<std::string>(row[0]));
    CHECK(std::get<std::string>(row[1]) == "account");
  }
  CHECK(query(*store, "SELECT name FROM sqlite_schema WHERE type = 'table'").size() == tables.size() + 4);
}

TEST_CASE("the records of the single table are moved into partitions by day, and none is lost") {
  const auto store = test::open_state_store(":memory:");
  make_first_schema(*store);
  test::SeededRandom random(1);
  CHECK(open_schema(*store, random, "").run == 4);
  test::check_first_records(*store);
  CHECK(query(*store, "SELECT 1 FROM sqlite_schema WHERE name = 'call_records'").empty());
  CHECK(query(*store, "SELECT 1 FROM call_parts").size() == 4);
}

TEST_CASE("the latest partition of an earlier version gets the column for deferred counts") {
  const auto store = test::open_state_store(":memory:");
  create_tables(*store);
  for (const std::int64_t day : {20'000, 20'001}) {
    transact_with_partitions(*store, [&](sql::Transaction& transaction) {
      require_partition(transaction, {PartitionKind::records, day});
    });
    define(*store, "ALTER TABLE " + table_of({PartitionKind::records, day}) + " DROP COLUMN deferred_counts");
  }
  SUBCASE("its table exists") {}
  // A server of the earlier version was killed while it created it.
  SUBCASE("its table is missing") { define(*store, "DROP TABLE " + table_of({PartitionKind::records, 20'001})); }
  set_back_to_14(*store);
  create_tables(*store);
  create_tables(*store);
  CHECK(query(*store, "SELECT deferred_counts FROM " + table_of({PartitionKind::records, 20'001})).empty());
  store->transact([](sql::Transaction& transaction) { CHECK(first_day_with_counts(transaction) == 20'001); });
}

TEST_CASE("a partition that was ended before the column was added may be listed again") {
  const auto store = test::open_state_store(":memory:");
  create_tables(*store);
  const Partition partition{PartitionKind::records, 20'000};
  const auto require = [&](sql::Transaction& transaction) { require_partition(transaction, partition); };
  transact_with_partitions(*store, require);
  define(*store, "ALTER TABLE " + table_of(partition) + " DROP COLUMN deferred_counts");
  store->transact([&](sql::Transaction& transaction) { end_partition(transaction, partition); });
  set_back_to_14(*store);
  create_tables(*store);
  transact_with_partitions(*store, require);
  store->transact([](sql::Transaction& transaction) { CHECK_FALSE(find_last_record(transaction)); });
}

TEST_CASE("a failed migration changes nothing") {
  const auto store = test::open_state_store(":memory:");
  make_first_schema(*store);
  query(*store, "UPDATE call_records SET at_ms = 1 WHERE record_number = 1");
  define(*store, "CREATE TABLE call_records_19700102 (one BIGINT)");
  test::SeededRandom random(1);
  CHECK_THROWS_AS(open_schema(*store, random, ""), sql::Failure);
  CHECK(query(*store, "SELECT 1 FROM call_records").size() == 3);
  CHECK(query(*store, "SELECT 1 FROM sqlite_schema WHERE name = 'call_parts'").empty());
  define(*store, "DROP TABLE call_records_19700102");
  open_schema(*store, random, "");
  CHECK(latest_calls(*store, "acc_a", 10, kDayMs)->size() == 2);
}
