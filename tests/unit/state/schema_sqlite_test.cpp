#include <doctest/doctest.h>

#include "fakes.h"
#include "state/call_partitions.h"
#include "state/calls/call_rows.h"
#include "state/schema.h"
#include "state_store.h"

using namespace tonearm;
using namespace tonearm::state;
using test::query;

TEST_CASE("the primary key of every table except the deployment's own starts with the account") {
  const auto store = test::open_state_store(":memory:");
  test::SeededRandom random(1);
  open_schema(*store, random, "");
  store->transact([](sql::Transaction& transaction) {
    make_partition(transaction, {PartitionKind::records, 20'000});
    make_partition(transaction, {PartitionKind::search_texts, 20'000});
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

namespace {

/// A state with the first schema, which has one table of call records.
void make_first_schema(sql::Store& store) {
  constexpr std::string_view kStatements[] = {
      "CREATE TABLE state_meta (name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (name))",
      "INSERT INTO state_meta VALUES ('schema_version', '1'), ('runs', '3')",
      // NOLINTNEXTLINE(bugprone-suspicious-missing-comma): a statement takes several lines
      "CREATE TABLE accounts (account TEXT NOT NULL, plan TEXT NOT NULL, created_ms BIGINT NOT NULL,"
      " PRIMARY KEY (account))",
      "CREATE TABLE api_keys (account TEXT NOT NULL, key_id TEXT NOT NULL, key_sha256 TEXT NOT NULL,"
      " is_session BIGINT NOT NULL, created_ms BIGINT NOT NULL, expires_ms BIGINT, revoked_ms BIGINT,"
      " PRIMARY KEY (account, key_id))",
      "CREATE TABLE call_records (account TEXT NOT NULL, at_ms BIGINT NOT NULL, record_number BIGINT NOT NULL,"
      " key_id TEXT NOT NULL, method TEXT NOT NULL, route TEXT NOT NULL, status BIGINT NOT NULL,"
      " duration_ms BIGINT NOT NULL, result_count BIGINT, search_text TEXT, first_party BIGINT NOT NULL,"
      " PRIMARY KEY (account, at_ms, record_number))",
      "CREATE TABLE daily_usage (account TEXT NOT NULL, day_began_ms BIGINT NOT NULL, calls BIGINT NOT NULL,"
      " succeeded BIGINT NOT NULL, first_party BIGINT NOT NULL, PRIMARY KEY (account, day_began_ms))",
      "INSERT INTO accounts VALUES ('acc_a', 'free', 1), ('acc_b', 'pro', 2)",
      "INSERT INTO call_records VALUES ('acc_a', 86399999, 1, 'key_1', 'GET', '/v1/search', 200, 3, 20, 'rain', 0),"
      " ('acc_a', 86400000, 2, 'key_1', 'GET', '/v1/meta', 404, 4, NULL, NULL, 1),"
      " ('acc_b', 86400001, 3, 'key_2', 'GET', '/v1/search', 200, 5, 0, 'wind', 0)",
      "INSERT INTO daily_usage VALUES ('acc_a', 0, 1, 1, 0), ('acc_a', 86400000, 1, 0, 1),"
      " ('acc_b', 86400000, 1, 1, 0)",
  };
  for (const std::string_view statement : kStatements) query(store, std::string(statement));
}

}  // namespace

TEST_CASE("the records of the single table are moved into partitions by day, and none is lost") {
  const auto store = test::open_state_store(":memory:");
  make_first_schema(*store);
  test::SeededRandom random(1);
  CHECK(open_schema(*store, random, "").run == 4);
  const std::int64_t now_ms = 2 * kDayMs;
  const auto of_a = latest_calls(*store, "acc_a", 10, now_ms).value();
  REQUIRE(of_a.size() == 2);
  CHECK(of_a[0].at_ms == kDayMs);
  CHECK(of_a[0].route == "/v1/meta");
  CHECK(of_a[0].status == 404);
  CHECK_FALSE(of_a[0].result_count.has_value());
  CHECK_FALSE(of_a[0].search_text.has_value());
  CHECK(of_a[0].first_party);
  CHECK(of_a[1].at_ms == kDayMs - 1);
  CHECK(of_a[1].result_count == 20);
  CHECK(of_a[1].search_text == "rain");
  const auto of_b = latest_calls(*store, "acc_b", 10, now_ms).value();
  REQUIRE(of_b.size() == 1);
  CHECK(of_b[0].search_text == "wind");
  CHECK(of_b[0].duration_ms == 5);
  CHECK(query(*store, "SELECT 1 FROM sqlite_schema WHERE name = 'call_records'").empty());
  CHECK(query(*store, "SELECT 1 FROM call_parts").size() == 4);
}

TEST_CASE("a failed migration changes nothing") {
  const auto store = test::open_state_store(":memory:");
  make_first_schema(*store);
  query(*store, "UPDATE call_records SET at_ms = 1 WHERE record_number = 1");
  query(*store, "CREATE TABLE call_records_19700102 (one BIGINT)");
  test::SeededRandom random(1);
  CHECK_THROWS_AS(open_schema(*store, random, ""), sql::Failure);
  CHECK(query(*store, "SELECT 1 FROM call_records").size() == 3);
  CHECK(query(*store, "SELECT 1 FROM sqlite_schema WHERE name = 'call_parts'").empty());
  query(*store, "DROP TABLE call_records_19700102");
  open_schema(*store, random, "");
  CHECK(latest_calls(*store, "acc_a", 10, kDayMs)->size() == 2);
}
