// Moving accounts into shards and out of them (docs/spec/moving.md): the directory stores the account and its keys, the
// account's shard its collections.

#include <doctest/doctest.h>

#include <boost/json.hpp>
#include <string>

#include "fakes.h"
#include "system/system_ports.h"
#include "tonearm/service.h"
#include "tonearm/shard_service.h"
#include "tonearm/sqlite.h"

using namespace tonearm;

namespace {

namespace json = boost::json;

constexpr auto kSecret = "the secret of these tests";

class OwnStore final : public sql::Store {
 public:
  explicit OwnStore(bool is_shared) : is_shared_(is_shared) {}
  void transact(const std::function<void(sql::Transaction&)>& body) override { store_->transact(body); }
  bool is_shared() const override { return is_shared_; }
  std::optional<std::int64_t> next_number() override { return ++number_; }

 private:
  bool is_shared_;
  std::unique_ptr<sql::Store> store_ =
      sql::make_sqlite_store(sql::open_sqlite(":memory:", sql::OpenMode::read_write_create));
  std::int64_t number_ = 0;
};

struct Ports {
  test::FakeClock clock;
  test::SeededRandom random{5};
  native::OpensslHashing hashing;

  ServiceOptions options() {
    ServiceOptions options;
    options.key_secret = kSecret;
    options.admin_token_hash = hashing.sha256("token");
    return options;
  }
};

RequestHead head(const std::string& method, const std::string& target, const std::string& token) {
  return {method, target, {{"Authorization", "Bearer " + token}}};
}

/// A service over one store.
struct OneStore : Ports {
  OwnStore store{false};
  std::unique_ptr<Service> service = Service::make({clock, random, hashing, store, [] { return nullptr; }}, options());

  Response admin(const std::string& method, const std::string& target, const std::string& body = {}) {
    return service->handle_admin({head(method, target, "token"), body});
  }
  std::string made(const std::string& target, const std::string& body, const std::string& member) {
    return json::value_to<std::string>(json::parse(admin("POST", target, body).body).at(member));
  }
};

/// A directory and the shard of one account, called as a host calls them.
struct TwoShards : Ports {
  OwnStore directory_store{true};
  OwnStore shard_store{true};
  std::unique_ptr<ShardService> directory = make(directory_store);
  std::unique_ptr<ShardService> shard = make(shard_store);

  TwoShards() {
    directory->open_state();
    shard->open_state();
  }
  std::unique_ptr<ShardService> make(sql::Store& store) {
    return ShardService::make({clock, random, hashing, store, [] { return nullptr; }}, options(), 0);
  }
  Response admin(const std::string& method, const std::string& target, const std::string& body = {}) {
    const Request request{head(method, target, "token"), body};
    const auto route = std::get<CallRoute>(directory->route_admin(request.head));
    if (!route.account.empty() && !directory->directory().has_shard(route.account)) {
      const std::string replica = directory->directory().whole_replica(route.account);
      if (!replica.empty()) shard->account().apply_replica(replica);
    }
    if (!route.account.empty()) return shard->calls(ShardRole::account).handle_admin(request);
    Response response = directory->calls(ShardRole::directory).handle_admin(request);
    for (auto change = directory->directory().next_change(""); change;
         change = directory->directory().next_change("")) {
      if (!change->replica.empty()) shard->account().apply_replica(change->replica);
      directory->directory().acknowledge(*change);
    }
    return response;
  }
};

/// Returns the body that imports an exported piece.
std::string body_of(const Response& exported) {
  return json::serialize(json::object{{"lines", json::parse(exported.body).at("lines")}});
}
std::string first_line_of(const Response& exported) {
  return json::serialize(json::object{{"lines", json::array{json::parse(exported.body).at("lines").at(0)}}});
}

/// Creates a collection with the rows that the API would write.
void insert_collection(sql::Store& store, const std::string& account) {
  store.transact([&](sql::Transaction& transaction) {
    transaction.execute(
        "INSERT INTO collections (account, collection_id, name, commercial, revision, track_count, created_s,"
        " updated_s, change_order) VALUES (?1, 'col_aaaaaaaaaaaaaaaaaaaaaaaaaa', 'Rain', 0, 3, 2, 10, 20, 7)",
        {account});
    for (const std::int64_t place : {5, 9}) {
      transaction.execute(
          "INSERT INTO collection_items (account, collection_id, track_id, place, note, chips, modification_text,"
          " added_s, license_id, commercial, credit_required, share_alike, attribution, license_name, license_url,"
          " license_status, credit_line, title, artist, source_page, catalog_version, recorded_s) VALUES (?1,"
          " 'col_aaaaaaaaaaaaaaaaaaaaaaaaaa', ?2, ?3, NULL, 2, NULL, 15, 'cc0', 1, 0, 0, 'optional', 'CC0 1.0', NULL,"
          " 'listed', 'A line', 'A title', '', NULL, '0123456789abcdef', 15)",
          {account, "t-" + std::to_string(place), place});
    }
  });
}

}  // namespace

// MOVE-4, MOVE-6
TEST_CASE("an account is moved from one store into shards, and is exported from them as before") {
  OneStore source;
  TwoShards target;
  const std::string account = source.made("/admin/accounts", R"({"plan":"pro"})", "account");
  const std::string path = "/admin/accounts/" + account;
  const std::string key = source.made(path + "/keys", "{}", "key");
  const std::string revoked = source.made(path + "/keys", "{}", "key_id");
  REQUIRE(source.admin("DELETE", "/admin/keys/" + revoked).status == 200);
  insert_collection(source.store, account);
  const Response keys = source.admin("GET", path + "/export/keys");
  const Response collections = source.admin("GET", path + "/export/collections");
  CHECK(target.admin("GET", "/admin/state").body == source.admin("GET", "/admin/state").body);
  CHECK(target.admin("GET", "/admin/state/key-secret").status == 400);

  // The shard accepts no collections before the account exists.
  CHECK(target.admin("POST", path + "/import/collections", body_of(collections)).status == 404);
  CHECK(target.admin("POST", path + "/import/keys", first_line_of(keys)).status == 201);
  CHECK(target.admin("POST", path + "/import/collections", body_of(collections)).status == 201);
  const auto admitted = [&] {
    const auto result = target.shard->calls(ShardRole::account).admit(head("GET", "/v1/collections", key));
    return std::holds_alternative<Admitted>(result);
  };
  CHECK_FALSE(admitted());
  CHECK(target.admin("POST", path + "/import/keys", body_of(keys)).status == 201);
  CHECK(admitted());
  CHECK(target.admin("GET", path + "/export/keys").body == keys.body);
  CHECK(target.admin("GET", path + "/export/collections").body == collections.body);
  CHECK(target.admin("POST", path + "/import/keys", body_of(keys)).status == 200);
  CHECK(target.admin("POST", path + "/import/collections", body_of(collections)).status == 200);

  OneStore back;
  CHECK(back.admin("POST", path + "/import/keys", body_of(target.admin("GET", path + "/export/keys"))).status == 201);
  CHECK(back.admin("POST", path + "/import/collections", body_of(collections)).status == 201);
  CHECK(back.admin("GET", path + "/export/keys").body == keys.body);
  CHECK(back.admin("GET", path + "/export/collections").body == collections.body);
  CHECK(back.service->handle({head("GET", "/v1/collections", key), {}}).status == 200);
  // MOVE-9
  const Response own = back.service->handle({head("GET", "/v1/export", key), {}});
  CHECK(own.status == 200);
  CHECK(own.body.find(R"("title":"A title")") != std::string::npos);
}
