#pragma once
// A fixture with accounts in a database of their own, a manual clock, and a store that fails on demand.

#include <memory>
#include <string>

#include "fakes.h"
#include "sample_call.h"
#include "scratch_folder.h"
#include "state/accounts/accounts.h"
#include "state/accounts/retention.h"
#include "state/call_partitions.h"
#include "state_store.h"
#include "system/system_ports.h"
#include "tonearm/sql.h"

namespace tonearm::test {

/// A store that fails before the commit, or after it, as when the answer is lost.
class FailingStore final : public sql::Store {
 public:
  enum class FailAt { none, before_commit, after_commit };

  explicit FailingStore(std::unique_ptr<sql::Store> store) : store_(std::move(store)) {}

  /// Fails all transactions after the next `transactions`.
  void fail(FailAt when, int transactions = 0) {
    fail_at_ = when;
    successes_left_ = transactions;
  }

  void transact(const std::function<void(sql::Transaction&)>& body) override {
    store_->transact(failing(body));
    fail_after_commit();
  }
  void transact_read_committed(const std::function<void(sql::Transaction&)>& body) override {
    store_->transact_read_committed(failing(body));
    fail_after_commit();
  }
  /// Never fails; InterruptedStore does (tests/postgresql/schema_test.cpp).
  void change_schema(sql::DiskSpace space, const std::function<void(sql::SchemaChange&)>& body) override {
    store_->change_schema(space, body);
  }
  bool is_shared() const override { return store_->is_shared(); }

 private:
  std::function<void(sql::Transaction&)> failing(const std::function<void(sql::Transaction&)>& body) const {
    return [this, &body](sql::Transaction& transaction) {
      body(transaction);
      if (successes_left_ == 0 && fail_at_ == FailAt::before_commit) throw sql::Failure("the disk is full");
    };
  }
  void fail_after_commit() {
    if (successes_left_ > 0) {
      --successes_left_;
    } else if (fail_at_ == FailAt::after_commit) {
      throw sql::Failure("the answer was lost");
    }
  }

  std::unique_ptr<sql::Store> store_;
  FailAt fail_at_ = FailAt::none;
  int successes_left_ = 0;
};

struct AccountFixture {
  explicit AccountFixture(const std::string& name = ":memory:", std::string secret = {},
                          const state::Accounts::Bounds& bounds = {})
      : store(open_state_store(name)),
        accounts(state::Accounts::open({clock, random, hashing, store, {}, [this] { return is_low_on_space; }},
                                       std::move(secret), bounds)) {}

  /// Returns the only value of the only row.
  sql::Value value(const std::string& statement) { return query(store, statement).at(0).at(0); }
  std::int64_t number(const std::string& statement) { return std::get<std::int64_t>(value(statement)); }

  /// Counts the rows in all partitions of a kind, of all accounts or of one.
  std::int64_t rows_in(state::PartitionKind kind, const std::string& account = {}) {
    const std::string table = state::table_of({kind, 0});
    const std::string name = table.substr(0, table.rfind('_'));
    sql::Rows partitions;
    store.transact([&](sql::Transaction& transaction) {
      partitions = transaction.execute("SELECT day_number FROM call_parts WHERE kind = ?1", {name});
    });
    const std::string condition = account.empty() ? "" : " WHERE account = '" + account + "'";
    std::int64_t rows = 0;
    for (const auto& partition : partitions) {
      rows +=
          number("SELECT COUNT(*) FROM " + state::table_of({kind, std::get<std::int64_t>(partition[0])}) + condition);
    }
    return rows;
  }
  std::int64_t records() { return rows_in(state::PartitionKind::records); }
  std::int64_t texts() { return rows_in(state::PartitionKind::search_texts); }
  std::int64_t partitions() { return number("SELECT COUNT(*) FROM call_parts"); }

  bool retain_step() { return state::run_retention_step(store, clock); }
  /// Removes all rows that are past their term. Returns the number of steps.
  int retain_all() {
    int steps = 0;
    while (retain_step()) ++steps;
    return steps;
  }

  std::string new_account(Plan plan = Plan::free) { return accounts->create_account(plan)->account; }
  std::string new_key(const std::string& account) { return accounts->create_key(account).value().key; }
  state::Admission::Outcome outcome(const std::string& key) { return accounts->admit(key).outcome; }
  int admitted_of(int tries, const std::string& key) {
    int admitted = 0;
    for (int call = 0; call < tries; ++call) admitted += outcome(key) == state::Admission::Outcome::admitted ? 1 : 0;
    return admitted;
  }
  state::CallRecord call_of(const std::string& account, int status = 200) const {
    return sample_call(account, clock_now(), status);
  }
  std::int64_t clock_now() const { return FakeClock(clock).now_ms(); }

  FakeClock clock;
  SeededRandom random{7};
  native::OpensslHashing hashing;
  FailingStore store;
  bool is_low_on_space = false;  // of an embedded state
  std::unique_ptr<state::Accounts> accounts;
};

/// A database file in a folder of the test's own, because tests of SQLite and of PostgreSQL run at the same time.
class StateFile {
 public:
  std::string name() const { return folder_.path("state.sqlite"); }

 private:
  ScratchFolder folder_;
};

}  // namespace tonearm::test
