// Moves of accounts between the databases of a divided state (HOST-58).

#include "state/division/account_move.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "divided_node.h"

using namespace tonearm;
using namespace tonearm::state;
using test::Databases;
using test::DividedNode;
using test::FullAccount;
using test::kDatabases;
using test::number;
using test::query;
using test::rows_of;
using test::RowsByTable;
using Outcome = Admission::Outcome;

// HOST-58
TEST_CASE("an account is moved with all that it has, and nothing remains where it was") {
  const Databases databases;
  DividedNode node(databases);
  DividedNode other(databases);
  const FullAccount full(node);
  const Admission before = other.accounts->admit(full.key.key);
  std::size_t database = node.database_of(full.account);
  const auto rows = rows_of(*node.stores[database - 1], full.account);
  CHECK(rows.size() == 18);  // nine tables, and three partitions of each of three days
  // A column that is always null here could be forgotten by a move. Servers do not use `deferred_counts`.
  for (const auto& column : query(*node.stores[database - 1],
                                  "SELECT table_name::text, column_name::text FROM information_schema.columns"
                                  " WHERE table_schema = current_schema() AND column_name <> 'deferred_counts'")) {
    const std::string& table = std::get<std::string>(column[0]);
    const std::string& name = std::get<std::string>(column[1]);
    if (rows.find(table) == rows.end()) continue;
    CAPTURE(table);
    CAPTURE(name);
    std::string statement = "SELECT COUNT(*) FROM " + table;
    statement += " WHERE account = '" + full.account;
    statement += "' AND " + name + " IS NOT NULL";
    CHECK(number(*node.stores[database - 1], statement) > 0);
  }
  for (int moves = 0; moves < 4; ++moves) {
    const std::size_t target = database % kDatabases + 1;
    node.move(full.account, target);
    CHECK(node.database_of(full.account) == target);
    CHECK(rows_of(*node.stores[target - 1], full.account) == rows);
    node.retain_all();
    CHECK(rows_of(*node.stores[database - 1], full.account).empty());
    CHECK(number(*node.stores[database - 1], "SELECT COUNT(*) FROM account_moves") == 0);
    database = target;
    CHECK(other.accounts->calls(full.account, 100)->size() == 12);
    CHECK(other.collections->list(full.account).size() == 2);
    node.move(full.account, target);  // is there already
  }
  const Admission after = other.accounts->admit(full.key.key);
  CHECK(after.rate->limits[2]->remaining == before.rate->limits[2]->remaining - 1);
  CHECK(other.accounts->admit(full.session).first_party);
  CHECK(other.accounts->create_key(full.account, "key once")->key == full.key.key);
  for (const std::size_t wrong : {std::size_t{0}, kDatabases + 1}) {
    CHECK(node.accounts->move_account(full.account, wrong).error().code == ErrorCode::invalid_request);
  }
  CHECK(node.accounts->move_account("acc_0123456789abc", 1).error().code == ErrorCode::not_found);
}

/// Moves the account to its final database, and checks that it is there as a whole, and nowhere else.
void check_moved(DividedNode& node, const std::string& account, std::size_t database, const RowsByTable& rows) {
  node.move(account, database);
  CHECK(node.database_of(account) == database);
  CHECK(rows_of(*node.stores[database - 1], account) == rows);
  end_finished_moves(*node.account_stores);
  node.retain_all();
  CHECK(rows_of(*node.stores[database - 1], account) == rows);
  for (std::size_t index = 0; index < kDatabases; ++index) {
    if (index + 1 != database) CHECK(rows_of(*node.stores[index], account).empty());
    CHECK(number(*node.stores[index], "SELECT COUNT(*) FROM account_arrivals") == 0);
  }
}

// HOST-58
TEST_CASE("a move that is interrupted anywhere is continued or undone, and the account is in one database") {
  const Databases databases;
  DividedNode node(databases);
  const FullAccount full(node);
  std::size_t database = node.database_of(full.account);
  const auto rows = rows_of(*node.stores[database - 1], full.account);
  bool was_interrupted = true;
  for (int transactions = 0; was_interrupted; ++transactions) {
    CAPTURE(transactions);
    const std::size_t target = database % kDatabases + 1;
    {
      DividedNode killed(databases);
      int left = transactions;
      killed.limit(&left);
      was_interrupted = false;
      try {
        killed.move(full.account, target);
      } catch (const sql::Failure&) {
        was_interrupted = true;
      }
    }
    const bool undoes = transactions % 2 == 1;
    const std::size_t expected = undoes && node.database_of(full.account) != target ? database : target;
    check_moved(node, full.account, expected, rows);
    database = expected;
    REQUIRE(transactions < 500);
  }
}

// HOST-58
TEST_CASE("any sequence of interrupted moves, undone ones and changes of the target loses nothing and leaves nothing") {
  const Databases databases;
  DividedNode node(databases);
  DividedNode other(databases);
  const FullAccount full(node);
  const auto rows = rows_of(*node.stores[node.database_of(full.account) - 1], full.account);
  std::mt19937 random(1);  // NOLINT(cert-msc51-cpp): a test repeats itself
  const auto below = [&](std::size_t end) { return static_cast<std::size_t>(random()) % end; };
  for (int round = 0; round < 40; ++round) {
    CAPTURE(round);
    const std::size_t attempts = below(5);
    for (std::size_t attempt = 0; attempt < attempts; ++attempt) {
      DividedNode& mover = attempt % 2 == 0 ? node : other;
      int left = static_cast<int>(below(90));
      mover.limit(&left);
      try {
        const std::size_t target = below(kDatabases) + 1;
        for (std::size_t step = below(4); step > 0; --step) (void)mover.accounts->move_account(full.account, target);
      } catch (const sql::Failure&) {
        // continued by the next attempt
      }
      mover.no_limit();
      if (below(3) == 0) node.retain_all();
    }
    check_moved(node, full.account, below(kDatabases) + 1, rows);
  }
}

/// Runs before chosen transactions of one server.
class Interruptions {
 public:
  Interruptions(DividedNode& node, std::vector<int> before, std::function<void()> work)
      : node_(node), before_(std::move(before)), work_(std::move(work)) {
    for (const auto& store : node_.stores) store->before_each = [this] { run(); };
  }
  ~Interruptions() {
    for (const auto& store : node_.stores) store->before_each = nullptr;
  }
  Interruptions(const Interruptions&) = delete;
  Interruptions& operator=(const Interruptions&) = delete;
  int transactions() const { return transactions_; }

 private:
  void run() {
    const int index = transactions_++;
    for (const int at : before_) {
      if (at == index) work_();
    }
  }

  DividedNode& node_;
  std::vector<int> before_;
  std::function<void()> work_;
  int transactions_ = 0;
};

// HOST-58
TEST_CASE("a step that another server's overtakes anywhere changes nothing") {
  const Databases databases;
  DividedNode node(databases);
  DividedNode other(databases);
  const FullAccount full(node);
  std::size_t database = node.database_of(full.account);
  const auto rows = rows_of(*node.stores[database - 1], full.account);
  std::mt19937 random(2);  // NOLINT(cert-msc51-cpp): a test repeats itself
  const auto below = [&](int end) { return static_cast<int>(random() % static_cast<unsigned>(end)); };
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    const std::size_t target = database % kDatabases + 1;
    CHECK_FALSE(node.accounts->move_account(full.account, target)->is_done);
    const int before = round < 20 ? round : below(60);
    int left = 60 + below(60);
    const auto overtake = [&] {
      other.limit(&left);
      try {
        for (int step = 0; step < 3; ++step) (void)other.accounts->move_account(full.account, target);
      } catch (const sql::Failure&) {
        // killed
      }
      other.no_limit();
    };
    try {
      const Interruptions interruption(node, {before}, overtake);
      for (int step = 0; step < 2; ++step) (void)node.accounts->move_account(full.account, target);
    } catch (const sql::Failure&) {
      // overtaken
    }
    check_moved(node, full.account, target, rows);
    database = target;
  }
}

/// Moves the account until it has arrived, and stops before the move has ended. Returns its database.
std::size_t move_until_arrival(const Databases& databases, DividedNode& node, const std::string& account) {
  const std::size_t database = node.database_of(account);
  const std::size_t target = database % kDatabases + 1;
  DividedNode killed(databases);
  for (const auto& store : killed.stores) {
    store->before_each = [&] {
      if (node.database_of(account) == target) throw sql::Failure("killed");
    };
  }
  CHECK_FALSE(killed.accounts->move_account(account, target)->is_done);
  CHECK_THROWS_AS((void)killed.accounts->move_account(account, target), sql::Failure);
  CHECK(number(*node.stores[database - 1], "SELECT COUNT(*) FROM account_moves") == 1);
  REQUIRE(node.database_of(account) == target);
  return target;
}

// HOST-58, RECORD-6
TEST_CASE("an account that is deleted before its move has ended does not come back") {
  const Databases databases;
  DividedNode node(databases);
  const FullAccount full(node);
  const std::size_t target = move_until_arrival(databases, node, full.account);
  CHECK(node.accounts->delete_account(full.account).has_value());
  CHECK_FALSE(node.accounts->move_account(full.account, target)->is_done);  // ends the move
  CHECK(node.accounts->move_account(full.account, target).error().code == ErrorCode::not_found);
  CHECK(node.accounts->admit(full.key.key).outcome == Outcome::invalid_key);
  node.retain_all();
  for (const auto& store : node.stores) {
    CHECK(rows_of(*store, full.account).empty());
    CHECK(number(*store, "SELECT COUNT(*) FROM account_arrivals") == 0);
  }
}

// HOST-58
TEST_CASE("no account is moved while a database is down") {
  const Databases databases;
  DividedNode node(databases);
  const FullAccount full(node);
  const std::size_t first = node.database_of(full.account);
  const std::size_t second = move_until_arrival(databases, node, full.account);
  const auto rows = rows_of(*node.stores[second - 1], full.account);
  const std::size_t third = second % kDatabases + 1;
  node.stores[first - 1]->is_down = true;
  CHECK_THROWS_AS((void)node.accounts->move_account(full.account, third), sql::Failure);
  node.stores[first - 1]->is_down = false;
  check_moved(node, full.account, third, rows);
}

// HOST-58, ADMIN-9
TEST_CASE("an account that is moved is listed, and a repeated request does not make another one") {
  const Databases databases;
  DividedNode node(databases);
  const auto account = node.accounts->create_account(Plan::free, "a key");
  for (int count = 0; count < 5; ++count) (void)node.accounts->create_account(Plan::free);
  const std::size_t target = node.database_of(account->account) % kDatabases + 1;
  (void)node.accounts->move_account(account->account, target);
  CHECK(node.database_of(account->account) == 0);
  AccountsQuery query{2, {}};
  std::vector<std::string> listed;
  do {
    const AccountsPage page = node.accounts->list_accounts(query);
    CHECK(page.total == 6);
    for (const AccountInfo& info : page.accounts) listed.push_back(info.account);
    query.after = page.after;
  } while (query.after);
  CHECK(listed.size() == 6);
  CHECK(std::count(listed.begin(), listed.end(), account->account) == 1);
  CHECK_THROWS_AS((void)node.accounts->create_account(Plan::free, "a key"), sql::Failure);
  node.move(account->account, target);
  CHECK(node.accounts->create_account(Plan::free, "a key")->account == account->account);
  CHECK(node.accounts->list_accounts({}).total == 6);
}

// HOST-58
TEST_CASE("servers that move an account at once, to different databases, lose nothing") {
  const Databases databases;
  DividedNode node(databases);
  const FullAccount full(node);
  const auto rows = rows_of(*node.stores[node.database_of(full.account) - 1], full.account);
  std::vector<std::thread> movers;
  movers.reserve(3);
  for (std::size_t mover = 0; mover < 3; ++mover) {
    movers.emplace_back([&, mover] {
      DividedNode own(databases);
      for (std::size_t step = 0; step < 12; ++step) {
        try {
          (void)own.accounts->move_account(full.account, (step / 3 + mover) % kDatabases + 1);
          if (step % 5 == mover) own.retain_all();
        } catch (const sql::Failure&) {
          // another one was faster
        }
      }
    });
  }
  for (auto& mover : movers) mover.join();
  check_moved(node, full.account, 2, rows);
}

// HOST-58
TEST_CASE("a step that names itself at the target of a move that another step has ended leaves nothing") {
  const Databases databases;
  DividedNode node(databases);
  const FullAccount full(node);
  sql::Store& target = *node.stores[node.database_of(full.account) % kDatabases];
  target.transact([&](sql::Transaction& transaction) {
    transaction.execute(
        "INSERT INTO account_arrivals (account, move_id, mover, arrived) VALUES (?1, 'ended', 'late', 0)",
        {full.account});
  });
  CHECK(number(target, "SELECT COUNT(*) FROM account_arrivals") == 1);
  end_finished_moves(*node.account_stores);
  CHECK(number(target, "SELECT COUNT(*) FROM account_arrivals") == 0);
}

// HOST-58
TEST_CASE("a call finds its account although it is moved twice during the call") {
  const Databases databases;
  DividedNode mover(databases);
  DividedNode node(databases);
  const std::string account = mover.accounts->create_account(Plan::pro, "once")->account;
  const NewKey key = mover.accounts->create_key(account).value();
  const NewKey revoked = mover.accounts->create_key(account).value();
  CHECK(mover.accounts->revoke_key(revoked.key_id).has_value());
  const std::string collection = mover.collections->create({account, key.key_id}, {"Rain", false})->value.id;
  std::vector<std::size_t> targets{1, 2, 1, 3};  // of which the first is next
  const auto move = [&] {
    mover.move(account, targets.front());
    mover.retain_all();
    std::rotate(targets.begin(), targets.begin() + 1, targets.end());
  };
  const auto rename = [](const Collection& before, const Edit&) -> Result<Collection> {
    Collection renamed = before;
    renamed.name = before.name == "Rain" ? "Wind" : "Rain";
    return renamed;
  };
  const std::vector<std::function<bool()>> calls{
      [&] { return node.accounts->admit(key.key).outcome == Outcome::admitted; },
      [&] { return node.accounts->admit(revoked.key).outcome == Outcome::invalid_key; },
      [&] {
        const auto repeated = node.accounts->create_account(Plan::pro, "once");
        return repeated.has_value() && repeated->account == account;
      },
      [&] { return node.accounts->show_account(account).has_value(); },
      [&] { return node.accounts->revoke_key(revoked.key_id).has_value(); },
      [&] { return node.collections->find(account, collection).has_value(); },
      [&] {
        return node.collections->change({account, key.key_id}, collection, {}, rename).has_value();
      },
  };
  for (std::size_t call = 0; call < calls.size(); ++call) {
    CAPTURE(call);
    CHECK(calls[call]());
    int transactions = 1;
    for (int first = 0; first < transactions; ++first) {
      for (int second = first; second < transactions; ++second) {
        CAPTURE(first);
        CAPTURE(second);
        move();  // elsewhere than the server remembers
        const Interruptions moves(node, {first, second}, move);
        CHECK(calls[call]());
        transactions = std::max(transactions, moves.transactions());
      }
    }
  }
}

// HOST-58, MOVE-6
TEST_CASE("an import of an account whose move begins meanwhile creates no second one") {
  const Databases databases;
  DividedNode mover(databases);
  DividedNode node(databases);
  const std::string account = mover.accounts->create_account(Plan::pro)->account;
  (void)mover.accounts->create_key(account);
  const auto exported = mover.accounts->export_keys(account, "").value();
  // An import looks in up to three databases before it writes, and each round begins in the next one.
  constexpr int kRounds = 5 * static_cast<int>(kDatabases);
  for (int round = 0; round < kRounds; ++round) {
    CAPTURE(round);
    const std::size_t target = mover.database_of(account) % kDatabases + 1;
    bool was_moved = false;
    {
      const Interruptions begin(node, {round / static_cast<int>(kDatabases)}, [&] {
        was_moved = true;
        CHECK_FALSE(mover.accounts->move_account(account, target)->is_done);
      });
      try {
        const auto added = node.accounts->import_keys({exported.account, exported.keys}, ImportMode::write);
        CHECK(added.value() == 0);
      } catch (const sql::Failure&) {
        CHECK(was_moved);
      }
    }
    mover.move(account, target);
    CHECK(mover.database_of(account) == target);
  }
}

// HOST-58
TEST_CASE("no write that was answered is lost, and no call is counted twice, while an account is moved") {
  const Databases databases;
  DividedNode node(databases);
  const std::string account = node.accounts->create_account(Plan::pro)->account;
  const NewKey key = node.accounts->create_key(account).value();
  std::atomic<bool> is_over = false;
  std::atomic<int> admitted = 0;
  std::atomic<int> created = 0;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> callers;
  callers.reserve(3);
  for (int caller = 0; caller < 3; ++caller) {
    callers.emplace_back([&] {
      DividedNode own(databases);
      while (!is_over) {
        try {
          const auto outcome = own.accounts->admit(key.key).outcome;
          if (outcome == Outcome::invalid_key) ++wrong;
          if (outcome == Outcome::admitted) ++admitted;
          const auto made = own.collections->create({account, key.key_id}, {"Rain", false});
          if (made) {
            ++created;
            if (own.collections->find(account, made->value.id).has_error()) ++wrong;
          } else if (made.error().code == ErrorCode::invalid_api_key) {
            ++wrong;
          }
        } catch (const sql::Failure&) {
          std::this_thread::sleep_for(std::chrono::milliseconds(2));  // 503 while it is moved
        }
      }
    });
  }
  for (int moves = 0; moves < 12; ++moves) {
    node.move(account, static_cast<std::size_t>(moves) % kDatabases + 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
  }
  is_over = true;
  for (auto& caller : callers) caller.join();
  CHECK(wrong == 0);
  CHECK(admitted > 20);
  CHECK(node.collections->count(account) == static_cast<std::size_t>(created));
  sql::Store& store = *node.stores[node.database_of(account) - 1];
  CHECK(number(store, "SELECT month_calls FROM call_counters WHERE account = '" + account + "'") == admitted);
}
