#pragma once
// A server process on a state that is divided among several databases, and an account with something in every table.

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "collection_samples.h"
#include "fakes.h"
#include "own_schema.h"
#include "postgresql/postgresql_store.h"
#include "sample_call.h"
#include "state/accounts/retention.h"
#include "state/collections/collections.h"
#include "state/division/account_move.h"
#include "state/division/divided_accounts.h"
#include "state/division/divided_store.h"
#include "system/system_ports.h"

namespace tonearm::test {

using state::Accounts;
using state::AccountStores;
using state::Admission;
using state::CallRecord;
using state::Collections;
using state::DividedStore;
using state::NewKey;
using state::open_divided_accounts;
using state::run_retention_step;
using state::Writer;
using Outcome = Admission::Outcome;

inline constexpr std::size_t kDatabases = 3;

inline std::unique_ptr<sql::Store> open_database(const std::string& url) {
  native::PostgresqlOptions options;
  options.url = url;
  options.connections_max = 4;
  options.time = native::PostgresqlOptions::Time::of_caller;
  return native::open_postgresql(options);
}

/// A database that can be down, that can fail after a number of transactions, and that can let another server work
/// between two transactions.
class FailingDatabase final : public sql::Store {
 public:
  explicit FailingDatabase(std::unique_ptr<sql::Store> store) : store_(std::move(store)) {}

  void transact(const std::function<void(sql::Transaction&)>& body) override {
    check();
    store_->transact(body);
  }
  void transact_read_committed(const std::function<void(sql::Transaction&)>& body) override {
    check();
    store_->transact_read_committed(body);
  }
  void change_schema(sql::DiskSpace space, const std::function<void(sql::SchemaChange&)>& body) override {
    check();
    store_->change_schema(space, body);
  }
  bool is_shared() const override { return true; }

  std::atomic<bool> is_down = false;
  std::atomic<int> calls = 0;
  int* transactions_left = nullptr;  // null: no limit
  std::function<void()> before_each;

 private:
  void check() {
    ++calls;
    if (before_each) before_each();
    if (is_down || (transactions_left != nullptr && (*transactions_left)-- == 0)) {
      throw sql::Failure("the database is down");
    }
  }

  std::unique_ptr<sql::Store> store_;
};

struct Databases {
  std::vector<std::string> urls{fresh_schema(), fresh_schema(), fresh_schema()};
};

/// The parts of one server process.
struct DividedNode {
  explicit DividedNode(const Databases& databases) {
    std::vector<sql::Store*> pointers;
    for (const std::string& url : databases.urls) {
      stores.push_back(std::make_unique<FailingDatabase>(open_database(url)));
      pointers.push_back(stores.back().get());
    }
    account_stores = std::make_unique<AccountStores>(pointers);
    store = std::make_unique<DividedStore>(*account_stores);
    accounts = open_divided_accounts({clock, random, hashing, *account_stores}, "a secret");
    collections = std::make_unique<Collections>(Collections::Dependencies{clock, random, *store});
  }

  /// Returns the number of the account's database, from 1; 0: it is in none.
  std::size_t database_of(const std::string& account) const {
    std::size_t database = 0;
    for (std::size_t index = 0; index < stores.size(); ++index) {
      if (query(*stores[index], "SELECT 1 FROM accounts WHERE account = '" + account + "'").empty()) continue;
      CHECK(database == 0);
      database = index + 1;
    }
    return database;
  }
  void move(const std::string& account, std::size_t database) {
    for (int step = 0; step < 1'000; ++step) {
      const auto moved = accounts->move_account(account, database);
      REQUIRE(moved.has_value());
      if (moved->is_done) return;
    }
    FAIL("the move does not end");
  }
  /// Lets at most so many transactions succeed until `no_limit`.
  void limit(int* transactions) const {
    for (const auto& one : stores) one->transactions_left = transactions;
  }
  void no_limit() const { limit(nullptr); }
  void retain_all() const {
    for (const auto& one : stores) {
      while (run_retention_step(*one, const_cast<FakeClock&>(clock))) continue;
    }
  }

  FakeClock clock;
  native::SystemRandom random;
  native::OpensslHashing hashing;
  std::vector<std::unique_ptr<FailingDatabase>> stores;
  std::unique_ptr<AccountStores> account_stores;
  std::unique_ptr<DividedStore> store;
  std::unique_ptr<Accounts> accounts;
  std::unique_ptr<Collections> collections;
};

inline std::string text_of(const sql::Row& row) {
  std::string text;
  for (const sql::Value& value : row) {
    if (const auto* number = std::get_if<std::int64_t>(&value)) text += std::to_string(*number);
    if (const auto* words = std::get_if<std::string>(&value)) text += '"' + *words + '"';
    text += ' ';
  }
  return text;
}

using RowsByTable = std::map<std::string, std::multiset<std::string>>;

/// Returns all rows of an account by table, without the checks, which are computed again.
inline RowsByTable rows_of(sql::Store& store, const std::string& account) {
  RowsByTable tables;
  const sql::Rows names = query(store,
                                "SELECT table_name::text FROM information_schema.columns"
                                " WHERE table_schema = current_schema() AND column_name = 'account'");
  for (const sql::Row& name : names) {
    const std::string& table = std::get<std::string>(name[0]);
    if (table == "license_checks" || table == "removed_accounts" || table == "account_arrivals") continue;
    std::string statement = "SELECT * FROM " + table;
    statement += " WHERE account = '" + account + "'";
    for (const sql::Row& row : query(store, statement)) {
      tables[table].insert(text_of(row));
    }
  }
  return tables;
}

inline CallRecord call_of(const DividedNode& node, const std::string& account, int status) {
  return sample_call(account, FakeClock(node.clock).now_ms(), status);
}

/// An account with something in every table.
struct FullAccount {
  explicit FullAccount(DividedNode& node) {
    account = node.accounts->create_account(Plan::pro, "once")->account;
    key = node.accounts->create_key(account, "key once").value();
    const auto revoked = node.accounts->create_key(account);
    CHECK(node.accounts->revoke_key(revoked->key_id).has_value());
    session = node.accounts->create_session_key(account, 3'600)->key;
    for (int day = 0; day < 3; ++day) {
      for (int call = 0; call < 3; ++call) node.accounts->record(call_of(node, account, 200));
      for (int call = 0; call < 3; ++call) node.accounts->record(call_of(node, account, 429));
      node.accounts->flush();
      if (day < 2) node.clock.advance_ms(-86'400'000);
    }
    node.clock.advance_ms(2 * 86'400'000);
    CHECK(node.accounts->admit(key.key).outcome == Outcome::admitted);
    const Writer writer{account, key.key_id};
    for (const char* name : {"Rain", "Wind"}) {
      const std::string id = node.collections->create(writer, {name, true})->value.id;
      const auto add = [&](const Collection& collection, const Edit& edit) -> Result<Collection> {
        auto added = with_tracks(collection, edit, tracks_to_add(0, 450));
        if (!added) return added.error();
        return std::move(added->collection);
      };
      CHECK(node.collections->change(writer, id, {}, add).has_value());
    }
    query(*node.stores[node.database_of(account) - 1],
          "UPDATE collection_items SET note = 'a note', modification_text = 'cut', credit_as = 'Me', receipt = 'r'");
  }

  std::string account;
  NewKey key;
  std::string session;
};

}  // namespace tonearm::test
