// A state that is divided among several databases (HOST-56, HOST-57).

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "divided_node.h"
#include "state/schema.h"

using namespace tonearm;
using namespace tonearm::state;
using test::call_of;
using test::Databases;
using test::DividedNode;
using test::fresh_schema;
using test::kDatabases;
using test::number;
using test::open_database;
using test::query;
using Outcome = Admission::Outcome;

// HOST-56
TEST_CASE("accounts are spread over all databases, and every server finds and lists each of them") {
  const Databases databases;
  DividedNode one(databases);
  DividedNode other(databases);
  std::vector<std::string> keys;
  std::vector<std::string> ids;
  for (int index = 0; index < 45; ++index) {
    one.clock.advance_ms(index % 3);
    ids.push_back(one.accounts->create_account(Plan::free)->account);
    keys.push_back(other.accounts->create_key(ids.back())->key);
  }
  for (const auto& store : one.stores) CHECK(number(*store, "SELECT COUNT(*) FROM accounts") > 3);
  for (const std::string& key : keys) CHECK(other.accounts->admit(key).rate->limits[0]->remaining == 19);
  for (const std::string& key : keys) CHECK(one.accounts->admit(key).rate->limits[0]->remaining == 18);
  std::vector<std::string> listed;
  AccountsQuery query{7, {}};
  do {
    const AccountsPage page = other.accounts->list_accounts(query);
    CHECK(page.total == 45);
    CHECK(page.accounts.size() <= 7);
    for (const AccountInfo& info : page.accounts) listed.push_back(info.account);
    query.after = page.after;
  } while (query.after);
  CHECK(std::set(listed.begin(), listed.end()) == std::set(ids.begin(), ids.end()));
  CHECK(listed.size() == ids.size());
  CHECK(other.accounts->delete_account(ids[0]).has_value());
  CHECK(one.accounts->admit(keys[0]).outcome == Outcome::invalid_key);
  CHECK(one.accounts->show_account(ids[0]).error().code == ErrorCode::not_found);
}

// ADMIN-9
TEST_CASE("a repeated request creates one account in a divided state, too") {
  const Databases databases;
  DividedNode one(databases);
  DividedNode other(databases);
  for (int index = 0; index < 12; ++index) {
    const std::string key = "request " + std::to_string(index);
    const std::string first = one.accounts->create_account(Plan::free, key)->account;
    CHECK(other.accounts->create_account(Plan::free, key)->account == first);
  }
  CHECK(one.accounts->list_accounts({}).total == 12);
}

// HOST-57
TEST_CASE("a database that is down affects only its accounts") {
  const Databases databases;
  DividedNode node(databases);
  std::array<std::string, kDatabases> accounts;
  std::array<std::string, kDatabases> keys;
  while (std::any_of(accounts.begin(), accounts.end(), [](const auto& it) { return it.empty(); })) {
    const std::string account = node.accounts->create_account(Plan::free)->account;
    accounts[node.database_of(account) - 1] = account;
  }
  for (std::size_t index = 0; index < kDatabases; ++index) {
    keys[index] = node.accounts->create_key(accounts[index])->key;
    node.accounts->record(call_of(node, accounts[index], 200));
  }
  node.accounts->flush();
  for (std::size_t down = 0; down < kDatabases; ++down) {
    for (const std::string& account : accounts) node.accounts->record(call_of(node, account, 200));
    node.stores[down]->is_down = true;
    CHECK_THROWS_AS(node.accounts->flush(), sql::Failure);
    for (std::size_t index = 0; index < kDatabases; ++index) {
      if (index == down) {
        CHECK_THROWS_AS(node.accounts->admit(keys[index]), sql::Failure);
        CHECK_THROWS_AS(node.collections->list(accounts[index]), sql::Failure);
      } else {
        CHECK(node.accounts->admit(keys[index]).outcome == Outcome::admitted);
        CHECK(node.collections->list(accounts[index]).empty());
        CHECK(node.accounts->calls(accounts[index], 10)->size() == down + 2);
      }
    }
    node.store->transact_anywhere([](sql::Transaction& transaction) { transaction.execute("SELECT 1"); });
    // What was not looked up before may be in the database that is down: it must not be called unknown.
    DividedNode restarted(databases);
    restarted.stores[down]->is_down = true;
    CHECK_THROWS_AS(restarted.accounts->show_account(accounts[down]), sql::Failure);
    node.stores[down]->is_down = false;
  }
  for (const std::string& account : accounts) CHECK(node.accounts->calls(account, 10)->size() == kDatabases + 1);
}

// HOST-56
TEST_CASE("a wrong list of databases is rejected, and the right one is accepted afterwards") {
  const Databases databases;
  const auto& urls = databases.urls;
  { const DividedNode node(databases); }
  const std::string undivided = fresh_schema();
  test::SeededRandom random(1);
  open_schema(*open_database(undivided), random, "a secret");
  const auto more = [&](const std::string& url) { return std::vector<std::string>{urls[0], urls[1], urls[2], url}; };
  const std::string fresh = fresh_schema();
  const std::vector<std::pair<std::vector<std::string>, const char*>> wrong{
      {{urls[1], urls[0], urls[2]}, "is number 2"},
      {{urls[0], fresh, urls[1], urls[2]}, "is number 2"},
      {{urls[0], urls[1]}, "is one of 3"},
      {more(urls[1] + "&application_name=other"), "are the same one"},
      {more(undivided), "has a state of its own"},
      {{undivided, urls[1], urls[2]}, "belongs to another state"},
      {{urls[0], fresh, urls[2]}, "is not the one that the state had there"},
  };
  for (const auto& [list, reason] : wrong) {
    CHECK_THROWS_WITH_AS(DividedNode(Databases{list}), doctest::Contains(reason), sql::Failure);
    const DividedNode node(databases);
  }
  {
    test::SeededRandom other_random(2);
    open_schema(*open_database(undivided), other_random, "a secret");  // still one database
  }
  const DividedNode longer(Databases{more(fresh)});
  CHECK(longer.accounts->list_accounts({}).total == 0);
}

// HOST-57
TEST_CASE("a database that uses all the time of a probe is not probed first again") {
  const Databases databases;
  DividedNode node(databases);
  const auto probe = [&] {
    node.store->transact_anywhere([](sql::Transaction& transaction) { transaction.execute("SELECT 1"); });
  };
  for (const auto& store : node.stores) store->is_down = true;
  CHECK_THROWS_AS(probe(), sql::Failure);  // the others have no time left
  for (const auto& store : node.stores) store->calls = 0;
  for (const std::size_t index : {std::size_t{1}, std::size_t{2}}) node.stores[index]->is_down = false;
  for (int count = 0; count < 3; ++count) probe();
  CHECK(node.stores[0]->calls == 0);
}

// HOST-57
TEST_CASE("a flush that skips a database has failed, and the last one skips none") {
  const Databases databases;
  DividedNode node(databases);
  const std::string account = node.accounts->create_account(Plan::free)->account;
  sql::Store& store = *node.stores[node.database_of(account) - 1];
  node.accounts->record(call_of(node, account, 200));
  for (const auto& one : node.stores) one->is_down = true;
  CHECK_THROWS_AS(node.accounts->flush(), sql::Failure);
  for (const auto& one : node.stores) one->is_down = false;
  CHECK_THROWS_WITH_AS(node.accounts->flush(), "the database is down", sql::Failure);
  CHECK(number(store, "SELECT COUNT(*) FROM daily_usage") == 0);
  node.accounts->skip_no_database();
  CHECK(node.accounts->flush().records_written == 1);
  CHECK(number(store, "SELECT COUNT(*) FROM daily_usage") == 1);
}
