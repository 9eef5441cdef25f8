#include <doctest/doctest.h>
#include <sqlite3.h>

#include <array>
#include <functional>
#include <new>
#include <optional>
#include <string>
#include <string_view>

#include "allocations.h"
#include "campaign.h"
#include "disk.h"
#include "state/accounts/accounts.h"
#include "state_workload.h"
#include "system/system_ports.h"
#include "tonearm/sqlite.h"

using namespace tonearm;
using namespace tonearm::test;

namespace {

/// A kind of failure: a call of the disk that fails with this error, or an allocation.
struct Kind {
  std::string_view name;
  std::optional<Disk::Call> call;
  int error = SQLITE_OK;
  Allocator allocator = Allocator::sqlite;
};

constexpr std::array<Kind, 14> kKinds{{{"open", Disk::Call::open, SQLITE_CANTOPEN},
                                       {"read", Disk::Call::read, SQLITE_IOERR_READ},
                                       {"write", Disk::Call::write, SQLITE_IOERR_WRITE},
                                       {"full disk", Disk::Call::write, SQLITE_FULL},
                                       {"sync", Disk::Call::sync, SQLITE_IOERR_FSYNC},
                                       {"truncate", Disk::Call::truncate, SQLITE_IOERR_TRUNCATE},
                                       {"size", Disk::Call::size, SQLITE_IOERR_FSTAT},
                                       {"remove", Disk::Call::remove, SQLITE_IOERR_DELETE},
                                       {"access", Disk::Call::access, SQLITE_IOERR_ACCESS},
                                       {"lock", Disk::Call::lock, SQLITE_IOERR_LOCK},
                                       {"shared memory", Disk::Call::shared_memory, SQLITE_IOERR_SHMMAP},
                                       {"SQLite's allocation", {}, SQLITE_OK, Allocator::sqlite},
                                       {"operator new", {}, SQLITE_OK, Allocator::operator_new},
                                       {"busy", Disk::Call::shared_memory, SQLITE_BUSY}}};

/// Makes calls of a kind fail while it is armed.
class FailingCalls {
 public:
  explicit FailingCalls(Disk& disk) {
    disk.before_call = [this](Disk::Call call) {
      return is_armed_ && kind_->call == call && plan_.next_fails() ? kind_->error : SQLITE_OK;
    };
  }
  ~FailingCalls() { disarm(); }
  FailingCalls(const FailingCalls&) = delete;
  FailingCalls& operator=(const FailingCalls&) = delete;

  void arm(const Kind& kind, std::uint64_t first, bool further) {
    kind_ = &kind;
    plan_ = {first, further};
    resume();
  }
  void disarm() {
    is_armed_ = false;
    allocation_failures().plan = nullptr;
  }
  /// Whether a call failed since `arm`.
  bool happened() const { return plan_.failed > 0; }

  /// Runs what is no part of an operation without failures.
  void suspend(const std::function<void()>& body) {
    const bool was_armed = is_armed_;
    disarm();
    try {
      body();
    } catch (...) {
      if (was_armed) resume();
      throw;
    }
    if (was_armed) resume();
  }

 private:
  void resume() {
    is_armed_ = true;
    if (!kind_->call) allocation_failures() = {kind_->allocator, &plan_};
  }

  const Kind* kind_ = nullptr;
  FailurePlan plan_;
  bool is_armed_ = false;
};

struct Totals {
  std::uint64_t failures = 0;
  std::uint64_t failed_operations = 0;
  std::uint64_t answers_lost = 0;  // the operation failed after its transaction was committed
  std::uint64_t in_doubt = 0;      // a transaction failed, and a restart finds it
};

/// Runs operations with failures, and compares the disk with what was committed.
class FailureRun {
 public:
  explicit FailureRun(std::uint64_t seed)
      : failing_(disk_), random_(seed), workload_(disk_, seed, [this](const auto& body) { failing_.suspend(body); }) {
    for (std::size_t i = 0; i < 200; ++i) {
      const auto operation = workload_.prepare(random_.below(StateWorkload::operation_count()));
      operation.run();
      if (operation.after) operation.after();
    }
  }

  /// Fails every call of a kind during an operation: the first, then the second, and so on. `stride`: 1: each of them;
  /// else a random one of that many.
  void fail_each(const Kind& kind, bool further, std::size_t operation, std::uint64_t stride) {
    INFO(kind.name, further ? " fails from then on during " : " fails once during ",
         StateWorkload::operation_name(operation));
    for (std::uint64_t number = 1 + random_.below(stride); attempt(kind, number, further, operation);) {
      number += 1 + random_.below(stride);
      if (number > 20'000) FAIL("the operation never ends");
    }
  }

  const Totals& totals() const { return totals_; }

 private:
  /// Returns whether the failure happened.
  bool attempt(const Kind& kind, std::uint64_t number, bool further, std::size_t index) {
    CAPTURE(number);
    const auto operation = workload_.prepare(index);
    const std::uint64_t committed_before = workload_.witness().transactions;
    bool succeeds = false;
    failing_.arm(kind, number, further);
    try {
      operation.run();
      succeeds = true;
    } catch (const sql::Failure&) {
    } catch (const std::bad_alloc&) {
    }
    failing_.disarm();
    if (succeeds && operation.after) operation.after();
    if (!failing_.happened()) return false;
    ++totals_.failures;
    if (!succeeds) {
      ++totals_.failed_operations;
      if (workload_.witness().transactions > committed_before) ++totals_.answers_lost;
    }
    check_disk(kind);
    return true;
  }

  void check_disk(const Kind& kind) {
    const Witness witness = workload_.witness();
    REQUIRE_FALSE(witness.is_lost);
    if (kind.call || random_.below(4) == 0) {
      const Recovered found = recover(*disk_.after_kill());
      CHECK(found.is_sound);
      if (found.digest != witness.committed) {
        CHECK_MESSAGE(kind.call == Disk::Call::sync, "another kind of failure leaves a write in doubt");
        REQUIRE(witness.is_in_doubt(found.digest));
        ++totals_.in_doubt;
      }
    }
    workload_.start();
    CHECK_FALSE(workload_.witness().is_lost);
    CHECK(workload_.digest() == workload_.witness().committed);
    CHECK(workload_.agrees_about_a_key());
  }

  Disk disk_;
  FailingCalls failing_;
  SeededRandom random_;
  StateWorkload workload_;
  Totals totals_;
};

}  // namespace

// HOST-2, LIMIT-9. TONEARM_FAILURES: how many.
TEST_CASE("whatever call fails, an answered write is stored and a failed one changed nothing") {
  const std::uint64_t goal = environment_number("TONEARM_FAILURES", 4'000);
  constexpr std::uint64_t kStride = 30;  // of allocations: there are too many to fail each in every run
  std::uint64_t seed = campaign_seed();
  Totals totals;
  std::uint64_t runs = 0;
  while (totals.failures < goal) {
    CAPTURE(seed);
    sqlite3_test_control(SQLITE_TESTCTRL_PRNG_SEED, static_cast<int>(seed), nullptr);
    FailureRun run(seed);
    for (const Kind& kind : kKinds) {
      for (const bool further : {false, true}) {
        for (std::size_t operation = 0; operation < StateWorkload::operation_count(); ++operation) {
          run.fail_each(kind, further, operation, kind.call ? 1 : kStride);
        }
      }
    }
    totals.failures += run.totals().failures;
    totals.failed_operations += run.totals().failed_operations;
    totals.answers_lost += run.totals().answers_lost;
    totals.in_doubt += run.totals().in_doubt;
    ++seed;
    ++runs;
  }
  MESSAGE("TONEARM_SEED=", campaign_seed(), ": ", totals.failures, " failures in ", runs,
          " runs: ", totals.failed_operations, " operations failed, ", totals.answers_lost,
          " of them after their commit; ", totals.in_doubt, " failed writes were found after a restart");
}

// HOST-2. If memory ends while SQLite prepares a statement again, it rolls the transaction back and runs the statement
// outside of it.
TEST_CASE("a transaction writes all or nothing if memory ends after a change of the schema") {
  Disk disk;
  const auto store =
      sql::make_sqlite_store(sql::open_sqlite("/one.sqlite", sql::OpenMode::read_write_create, disk.vfs()));
  const auto rows = [&] {
    std::size_t count = 0;
    store->transact(
        [&](sql::Transaction& transaction) { count = transaction.execute("SELECT * FROM numbers").size(); });
    return count;
  };
  store->transact([](sql::Transaction& transaction) {
    transaction.execute("CREATE TABLE numbers (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)");
  });
  const auto insert = [&](std::int64_t id) {
    store->transact([&](sql::Transaction& transaction) {
      transaction.execute("INSERT INTO numbers (id, name) VALUES (?1, ?2) ON CONFLICT (id) DO NOTHING RETURNING id",
                          {id, std::to_string(id)});
    });
  };
  insert(0);
  bool happened = true;
  for (std::int64_t number = 1; happened; ++number) {
    CAPTURE(number);
    const std::size_t before = rows();
    store->transact([](sql::Transaction& transaction) {
      transaction.execute("DROP TABLE IF EXISTS changed");
      transaction.execute("CREATE TABLE changed (a)");
    });
    FailurePlan plan{static_cast<std::uint64_t>(number)};
    allocation_failures() = {Allocator::sqlite, &plan};
    bool succeeds = true;
    try {
      insert(number);
    } catch (const sql::Failure&) {
      succeeds = false;
    }
    allocation_failures().plan = nullptr;
    happened = plan.failed > 0;
    CHECK(rows() == before + (succeeds ? 1U : 0U));
  }
}

// LIMIT-9
TEST_CASE("a call that fails for lack of memory loses no count of another call") {
  FakeClock clock;
  SeededRandom random(campaign_seed());
  native::OpensslHashing hashing;
  const auto store = sql::make_sqlite_store(sql::open_sqlite(":memory:", sql::OpenMode::read_write_create));
  const auto accounts = state::Accounts::open({clock, random, hashing, *store}, {});
  bool happened = true;
  for (std::uint64_t number = 1; happened; ++number) {
    CAPTURE(number);
    const std::string account = accounts->create_account(Plan::pro)->account;
    const std::string key = accounts->create_key(account)->key;
    FailurePlan plan{number};
    allocation_failures() = {Allocator::operator_new, &plan};
    try {
      (void)accounts->admit(key);
    } catch (const std::bad_alloc&) {
    }
    allocation_failures().plan = nullptr;
    happened = plan.failed > 0;
    for (int call = 0; call < 5; ++call) (void)accounts->admit(key);
    const std::uint32_t counted = accounts->limits(account)->windows[0].calls;
    CHECK(counted >= 5);
    CHECK(counted <= 6);
  }
}
