// Counts and totals that are written with the account's last record (HOST-61).

#include "state/accounts/deferred_counts.h"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "account_fixture.h"
#include "fakes.h"
#include "sample_call.h"
#include "state/accounts/account_rows.h"
#include "state/call_partitions.h"
#include "state/schema.h"
#include "state_store.h"

using namespace tonearm;
using namespace tonearm::state;

namespace {

constexpr std::int64_t kFirstDay = 20'000;
constexpr std::int64_t kBeginMs = kFirstDay * kDayMs;

/// The store of one account with its memory, which a failed transaction restores.
struct Shard {
  Shard() {
    create_tables(store);
    store.transact([&](sql::Transaction& transaction) { insert_account(transaction, account, Plan::pro, kBeginMs); });
  }

  /// Runs `body` as the host does.
  template <class Body>
  void run(const Body& body) {
    const std::string before = memory.bytes;
    try {
      transact_with_partitions(store, [&](sql::Transaction& transaction) {
        memory.bytes = before;
        body(transaction);
      });
    } catch (...) {
      memory.bytes = before;
      throw;
    }
  }
  std::size_t write(const std::vector<NumberedCall>& calls) {
    std::size_t written = 0;
    run([&](sql::Transaction& transaction) { written = write_calls_with_counts(transaction, calls, memory); });
    return written;
  }
  void write_to_tables() {
    run([&](sql::Transaction& transaction) { write_deferred(transaction, memory); });
  }
  /// Starts again with what is stored.
  void restart() {
    memory.bytes.clear();
    load_deferred(store, &memory);
  }
  void count(std::uint32_t calls) {
    CallCounts counts;
    for (auto& window : counts.windows) window = {kBeginMs, calls};
    defer_counts(memory, account, counts);
  }
  std::uint32_t counted() {
    if (const auto counts = find_deferred(&memory, account)) return counts->windows[0].calls;
    const sql::Rows rows = test::query(store, "SELECT minute_calls FROM call_counters");
    return rows.empty() ? 0 : static_cast<std::uint32_t>(std::get<std::int64_t>(rows[0][0]));
  }
  std::size_t rows(const std::string& table) { return test::query(store, "SELECT 1 FROM " + table).size(); }
  std::vector<DayUsage> usage() {
    std::vector<DayUsage> days;
    store.transact([&](sql::Transaction& transaction) { days = read_usage(transaction, account); });
    return days;
  }
  bool is_in_record() {
    const auto deferred = read_deferred(&memory);
    return deferred && deferred->in_record == DeferredCounts::InRecord::these;
  }

  std::string account = "acc_aaaaaaaaaaaaa";
  test::CountsInMemory memory;
  test::FailingStore store{test::open_state_store(":memory:")};
};

NumberedCall call_at(std::int64_t at_ms, std::int64_t number, int status = 200) {
  return {number, test::sample_call("acc_aaaaaaaaaaaaa", at_ms, status)};
}

const std::string kRecords = table_of({PartitionKind::records, kFirstDay});

}  // namespace

// HOST-61
TEST_CASE("the counts and totals of calls are written with the last record, and read when the store is opened again") {
  Shard shard;
  shard.count(1);
  CHECK_FALSE(shard.is_in_record());
  CHECK(shard.write({call_at(kBeginMs + 5, 2), call_at(kBeginMs + 1, 1, 404)}) == 2);
  CHECK(shard.is_in_record());
  CHECK(shard.rows("call_counters") == 0);
  CHECK(shard.rows("daily_usage") == 0);
  CHECK(shard.rows(kRecords + " WHERE deferred_counts IS NOT NULL AND record_number = 2") == 1);
  CHECK(shard.rows(kRecords + " WHERE deferred_counts IS NOT NULL") == 1);

  shard.count(7);
  CHECK_FALSE(shard.is_in_record());
  shard.restart();
  CHECK(shard.counted() == 1);
  shard.count(2);
  CHECK(shard.write({call_at(kBeginMs + 6, 3)}) == 1);
  CHECK(shard.write({call_at(kBeginMs + 6, 3)}) == 0);
  shard.restart();
  CHECK(shard.counted() == 2);

  shard.write_to_tables();
  CHECK(shard.memory.bytes.empty());
  CHECK(shard.rows(kRecords + " WHERE record_number = 3 AND deferred_counts IS NOT NULL") == 0);
  CHECK(shard.counted() == 2);
  REQUIRE(shard.usage().size() == 1);
  CHECK(shard.usage()[0].calls == 3);
  CHECK(shard.usage()[0].succeeded == 2);
  shard.restart();
  CHECK(shard.memory.bytes.empty());
}

TEST_CASE("the last record contains the counts of calls whose records arrive later") {
  Shard shard;
  shard.count(1);
  shard.write({call_at(kBeginMs + 10, 1)});
  shard.count(2);
  SUBCASE("in a batch of the same day") { CHECK(shard.write({call_at(kBeginMs + 9, 2)}) == 1); }
  SUBCASE("never") { store_deferred(shard.store, &shard.memory); }
  CHECK(shard.is_in_record());
  CHECK(shard.rows("call_counters") + shard.rows("daily_usage") == 0);
  CHECK(shard.rows(kRecords + " WHERE deferred_counts IS NOT NULL") == 1);
  const std::size_t records = shard.rows(kRecords);
  shard.restart();
  CHECK(shard.counted() == 2);
  shard.write_to_tables();
  CHECK(shard.usage().at(0).calls == records);
}

TEST_CASE("counts without a record are stored in their table") {
  Shard shard;
  shard.count(1);
  store_deferred(shard.store, &shard.memory);
  CHECK(shard.memory.bytes.empty());
  CHECK(shard.rows("call_counters WHERE minute_calls = 1") == 1);
}

TEST_CASE("before its record may be removed, the counts are written to their tables") {
  Shard shard;
  shard.count(1);
  shard.write({call_at(kBeginMs, 1)});
  shard.write({call_at(kBeginMs + kDayMs, 2)});
  write_deferred_before_removal(shard.store, &shard.memory);
  CHECK(shard.is_in_record());
  test::query(shard.store, "DELETE FROM call_parts WHERE day_number = " + std::to_string(kFirstDay));
  write_deferred_before_removal(shard.store, &shard.memory);
  CHECK(shard.memory.bytes.empty());
  CHECK(shard.usage().size() == 2);
}

TEST_CASE("partitions of an earlier version need no column") {
  Shard shard;
  test::query(shard.store, "INSERT INTO state_meta VALUES ('first_day_with_deferred_counts', '" +
                               std::to_string(kFirstDay + 1) + "')");
  transact_with_partitions(shard.store, [](sql::Transaction& transaction) {
    require_partition(transaction, {PartitionKind::records, kFirstDay});
  });
  test::define(shard.store, "ALTER TABLE " + kRecords + " DROP COLUMN deferred_counts");
  shard.count(1);
  CHECK(shard.write({call_at(kBeginMs, 1)}) == 1);
  CHECK(shard.rows("call_counters WHERE minute_calls = 1") == 1);
  shard.count(2);
  CHECK(shard.write({call_at(kBeginMs + kDayMs, 2)}) == 1);
  CHECK(shard.is_in_record());
  CHECK(shard.write({call_at(kBeginMs + 5, 3)}) == 1);
  CHECK(shard.is_in_record());
  shard.restart();
  CHECK(shard.counted() == 2);
  shard.write_to_tables();
  CHECK(shard.usage().at(0).calls + shard.usage().at(1).calls == 3);
}

TEST_CASE("another day, a refused call and a full day write the counts to their tables") {
  Shard shard;
  shard.count(1);
  shard.write({call_at(kBeginMs + 10, 1)});
  SUBCASE("a refused call") { shard.write({call_at(kBeginMs + 11, 2, 429)}); }
  SUBCASE("two days") { shard.write({call_at(kBeginMs + 11, 2), call_at(kBeginMs + kDayMs, 3)}); }
  SUBCASE("a full day") {
    test::query(shard.store, "INSERT INTO daily_usage VALUES ('acc_aaaaaaaaaaaaa', " + std::to_string(kBeginMs) +
                                 ", 0, 0, 0, 20000)");
    shard.write({call_at(kBeginMs + 11, 2)});
  }
  CHECK(shard.memory.bytes.empty());
  CHECK(shard.rows(kRecords + " WHERE deferred_counts IS NOT NULL") == 0);
  CHECK(shard.rows("call_counters WHERE minute_calls = 1") == 1);
  shard.restart();
  CHECK(shard.memory.bytes.empty());
}

TEST_CASE("the first record of a day is written with the counts, and the totals of the day before to their table") {
  Shard shard;
  shard.count(1);
  shard.write({call_at(kBeginMs + 10, 1)});
  shard.count(2);
  shard.write({call_at(kBeginMs + kDayMs, 2)});
  CHECK(shard.is_in_record());
  REQUIRE(shard.usage().size() == 1);
  CHECK(shard.usage()[0].calls == 1);
  shard.restart();
  CHECK(shard.counted() == 2);
  shard.write_to_tables();
  CHECK(shard.usage().size() == 2);
}

TEST_CASE("a failure after the partition of a new day was created loses no counts") {
  Shard shard;
  shard.count(1);
  shard.write({call_at(kBeginMs + 10, 1)});
  shard.store.fail(test::FailingStore::FailAt::before_commit);
  CHECK_THROWS_AS(shard.write({call_at(kBeginMs + kDayMs, 2)}), sql::Failure);
  shard.store.fail(test::FailingStore::FailAt::none);
  CHECK(shard.rows("call_parts WHERE kind = 'call_records'") == 2);
  shard.restart();
  CHECK(shard.counted() == 1);
  shard.write_to_tables();
  CHECK(shard.usage().size() == 1);
}

// RECORD-6
TEST_CASE("the counts of a deleted account are not written") {
  Shard shard;
  shard.count(1);
  shard.write({call_at(kBeginMs + 10, 1)});
  test::query(shard.store, "DELETE FROM accounts");
  CHECK(shard.write({call_at(kBeginMs + 11, 2)}) == 0);
  CHECK(shard.memory.bytes.empty());
  CHECK(shard.rows("call_counters") == 0);
  CHECK(shard.rows("daily_usage") == 0);
}

TEST_CASE("bytes that are no deferred counts are ignored, in memory and in a record") {
  Shard shard;
  shard.count(3);
  const std::string bytes = shard.memory.bytes;
  for (const std::string& bad : {std::string("x"), bytes.substr(0, bytes.size() - 1), bytes + '0', bytes + " 0"}) {
    shard.memory.bytes = bad;
    CHECK_FALSE(read_deferred(&shard.memory));
  }
  shard.memory.bytes = bytes;
  shard.write({call_at(kBeginMs + 10, 1)});
  for (const std::string bad :
       {"", "1", "1 2 3 4 5 6", "1 2 3 4 -5", "1 2 3 4 5 ", "1  2 3 4 5", "1 2 3 4 5 -6 7 -8 9 -10 -11",
        "1 2 3 4 5 6 7 8 9 10 11 12", "1 2 3 4 5x", "a b", "1 2 3 4 5 9223372036854775807 7 8 9 10 11"}) {
    CAPTURE(bad);
    shard.store.transact([&](sql::Transaction& transaction) {
      transaction.execute("UPDATE " + kRecords + " SET deferred_counts = ?1", {bad});
    });
    shard.restart();
    CHECK(shard.memory.bytes.empty());
  }
}

TEST_CASE("any order of records, failures and restarts counts each call once") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    test::SeededRandom random(seed);
    const auto below = [&](std::size_t end) { return static_cast<int>(random.below(end)); };
    Shard shard;
    std::map<std::int64_t, std::uint64_t> calls_of_day;
    std::vector<NumberedCall> known;
    std::int64_t last_number = 0;
    std::uint32_t counted = 0;  // in memory
    std::uint32_t stored = 0;
    std::int64_t now_ms = kBeginMs + kDayMs - 200;
    for (int step = 0; step < 150; ++step) {
      const int what = below(20);
      if (what < 6) {
        shard.count(++counted);
      } else if (what < 15) {
        std::vector<NumberedCall> batch;
        for (int left = 1 + below(3); left > 0; --left) {
          if (!known.empty() && below(6) == 0) {
            batch.push_back(known[static_cast<std::size_t>(below(known.size()))]);
            continue;
          }
          const std::int64_t at_ms = below(5) == 0 ? now_ms - below(100) : now_ms++;
          const int status = below(10) == 0 ? 429 : 200;
          batch.push_back(call_at(at_ms, ++last_number, status));
          ++calls_of_day[day_number(at_ms)];
          // An aggregated record does not show which calls it contains, so such calls arrive once.
          if (status == 200) known.push_back(batch.back());
        }
        if (below(4) == 0) {
          shard.store.fail(test::FailingStore::FailAt::before_commit);
          CHECK_THROWS_AS(shard.write(batch), sql::Failure);
          shard.store.fail(test::FailingStore::FailAt::none);
        }
        shard.write(batch);
        if (shard.memory.bytes.empty() || shard.is_in_record()) stored = counted;
      } else if (what < 16) {
        shard.write_to_tables();
        stored = counted;
      } else if (what < 17) {
        store_deferred(shard.store, &shard.memory);
        stored = counted;
      } else {
        shard.restart();
        CHECK(shard.counted() == stored);
        counted = stored;
      }
      now_ms += below(4);
    }
    shard.write_to_tables();
    std::map<std::int64_t, std::uint64_t> found;
    for (const DayUsage& day : shard.usage()) found[day_number(day.day_begin_ms)] = day.calls;
    CHECK(found == calls_of_day);
    CHECK(shard.counted() == counted);
  }
}
