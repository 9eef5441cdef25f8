#pragma once
// A directory, the shard of one account, and a stateless front, called as the edge calls them.

#include <doctest/doctest.h>

#include <boost/json.hpp>
#include <memory>
#include <optional>
#include <string>

#include "fakes.h"
#include "system/system_ports.h"
#include "tonearm/shard_service.h"
#include "tonearm/sqlite.h"

namespace tonearm::test {

/// A store like the storage of an object: shared, and with record numbers.
class ObjectStore final : public sql::Store {
 public:
  void transact(const std::function<void(sql::Transaction&)>& body) override { store_->transact(body); }
  bool is_shared() const override { return true; }
  std::optional<std::int64_t> next_number() override { return ++number_; }

  sql::Rows rows(const std::string& statement) {
    sql::Rows rows;
    transact([&](sql::Transaction& transaction) { rows = transaction.execute(statement); });
    return rows;
  }

 private:
  std::unique_ptr<sql::Store> store_ =
      sql::make_sqlite_store(sql::open_sqlite(":memory:", sql::OpenMode::read_write_create));
  std::int64_t number_ = 0;
};

struct Shards {
  Shards() {
    directory->open_state();
    shard->open_state();
  }

  std::unique_ptr<ShardService> make(sql::Store& store, std::int64_t epoch = 0, UnwrittenCounts* counts = nullptr) {
    ServiceOptions options;
    options.key_secret = "the secret of these tests";
    options.admin_token_hash = hashing.sha256("token");
    options.oauth = {"https://api.example", "https://music.example"};
    return ShardService::make({clock, random, hashing, store, [this] { return catalog; }, nullptr, counts}, options,
                              epoch);
  }
  ShardCalls& front_calls() const { return front->calls(ShardRole::stateless); }
  ShardCalls& shard_calls() const { return shard->calls(ShardRole::account); }
  std::optional<AccountChange> next_change(const std::string& after = "") const {
    return directory->directory().next_change(after);
  }

  static RequestHead head(const std::string& method, const std::string& target, const std::string& token) {
    return {method, target, {{"Authorization", "Bearer " + token}}};
  }
  std::string admin(const std::string& method, const std::string& target, const std::string& body = {}) {
    return directory->calls(ShardRole::directory).handle_admin({head(method, target, "token"), body}).body;
  }
  std::string made(const std::string& target, const std::string& body, const std::string& member) {
    return boost::json::value_to<std::string>(boost::json::parse(admin("POST", target, body)).at(member));
  }
  /// Returns a new account whose shard has a replica.
  std::string used_account() {
    std::string account = made("/admin/accounts", R"({"plan":"free"})", "account");
    REQUIRE(apply(whole(account)) == ReplicaOutcome::applied);
    return account;
  }
  void revoke_first_key(const std::string& account) {
    const auto keys = boost::json::parse(admin("GET", "/admin/accounts/" + account + "/keys"));
    admin("DELETE", "/admin/keys/" + boost::json::value_to<std::string>(keys.at_pointer("/keys/0/key_id")));
  }
  /// Applies all changes to the shard. Returns their number.
  int replicate() {
    int count = 0;
    for (auto change = next_change(); change; change = next_change()) {
      REQUIRE(shard->account().apply_replica(change->replica) == ReplicaOutcome::applied);
      directory->directory().acknowledge(*change);
      ++count;
    }
    return count;
  }
  ReplicaOutcome apply(const std::string& replica) const { return shard->account().apply_replica(replica); }
  std::string whole(const std::string& account) const { return directory->directory().whole_replica(account); }
  int status_of_admission(const std::string& key) {
    const auto admitted = shard_calls().admit(head("GET", "/v1/collections", key));
    const auto* refusal = std::get_if<Response>(&admitted);
    return refusal == nullptr ? 200 : refusal->status;
  }

  FakeClock clock;
  SeededRandom random{3};
  native::OpensslHashing hashing;
  std::shared_ptr<const Catalog> catalog;  // null: none
  ObjectStore directory_store;
  ObjectStore shard_store;
  ObjectStore no_store;
  std::unique_ptr<ShardService> directory = make(directory_store);
  std::unique_ptr<ShardService> shard = make(shard_store);
  std::unique_ptr<ShardService> front = make(no_store);
};

}  // namespace tonearm::test
