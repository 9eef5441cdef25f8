#pragma once
// A state with the first schema, which has one table of call records.

#include <doctest/doctest.h>

#include <string_view>

#include "state/call_partitions.h"
#include "state/calls/call_rows.h"
#include "state_store.h"

namespace tonearm::test {

inline void make_first_schema(sql::Store& store) {
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
  for (const std::string_view statement : kStatements) {
    if (statement.starts_with("CREATE")) {
      define(store, statement);
    } else {
      query(store, statement);
    }
  }
}

/// Checks that the state has the records of `make_first_schema`.
inline void check_first_records(sql::Store& store) {
  const std::int64_t now_ms = 2 * state::kDayMs;
  const auto of_a = state::latest_calls(store, "acc_a", 10, now_ms).value();
  REQUIRE(of_a.size() == 2);
  CHECK(of_a[0].at_ms == state::kDayMs);
  CHECK(of_a[0].route == "/v1/meta");
  CHECK(of_a[0].status == 404);
  CHECK_FALSE(of_a[0].result_count.has_value());
  CHECK_FALSE(of_a[0].search_text.has_value());
  CHECK(of_a[0].first_party);
  CHECK(of_a[1].at_ms == state::kDayMs - 1);
  CHECK(of_a[1].result_count == 20);
  CHECK(of_a[1].search_text == "rain");
  const auto of_b = state::latest_calls(store, "acc_b", 10, now_ms).value();
  REQUIRE(of_b.size() == 1);
  CHECK(of_b[0].search_text == "wind");
  CHECK(of_b[0].duration_ms == 5);
}

}  // namespace tonearm::test
