// Accounts in shards of their own, as on the edge: a directory, the shard of one account, and a stateless front.

#include "tonearm/shard_service.h"

#include <doctest/doctest.h>

#include <boost/json.hpp>
#include <string>

#include "shards_fixture.h"

using namespace tonearm;
using tonearm::test::Shards;

namespace {

/// One account, whose shard counts in memory.
struct CountingShards : Shards {
  CountingShards() {
    start();
    replicate();
  }
  /// Starts the core again, with what is in memory.
  void start() { shard = make(shard_store, 0, &memory); }

  test::CountsInMemory memory;
  const std::string account = used_account();
  const std::string key = made("/admin/accounts/" + account + "/keys", "{}", "key");
};

}  // namespace

TEST_CASE("a change takes effect in the shard as soon as it is replicated") {
  Shards shards;
  const std::string account = shards.used_account();
  const std::string key = shards.made("/admin/accounts/" + account + "/keys", "{}", "key");
  CHECK(shards.status_of_admission(key) == 401);
  CHECK(shards.replicate() == 1);
  CHECK(shards.replicate() == 0);
  CHECK(shards.status_of_admission(key) == 200);

  shards.revoke_first_key(account);
  CHECK(shards.replicate() == 1);
  CHECK(shards.status_of_admission(key) == 401);
}

// HOST-60
TEST_CASE("an account has no changes in the outbox until its shard has asked for it") {
  Shards shards;
  const std::string account = shards.made("/admin/accounts", R"({"plan":"free"})", "account");
  const std::string keys = "/admin/accounts/" + account + "/keys";
  const std::string revoked = shards.made(keys, "{}", "key");
  shards.clock.advance_ms(1);
  const std::string key = shards.made(keys, "{}", "key");
  shards.revoke_first_key(account);
  auto& directory = shards.directory->directory();
  CHECK_FALSE(shards.next_change());
  CHECK_FALSE(directory.change_of(account));
  CHECK_FALSE(directory.has_shard(account));
  CHECK(shards.status_of_admission(key) == 401);
  const std::string first = shards.whole(account);
  CHECK(directory.has_shard(account));
  CHECK_FALSE(shards.next_change());

  // A change that overtakes the answer is not replaced by it.
  shards.admin("PATCH", "/admin/accounts/" + account, R"({"plan":"pro"})");
  CHECK(shards.apply(shards.next_change()->replica) == ReplicaOutcome::behind);
  CHECK(shards.apply(shards.whole(account)) == ReplicaOutcome::applied);
  CHECK(shards.apply(first) == ReplicaOutcome::newer_here);
  CHECK(shards.shard_store.rows("SELECT 1 FROM accounts WHERE plan = 'pro'").size() == 1);
  CHECK(shards.status_of_admission(key) == 200);
  CHECK(shards.status_of_admission(revoked) == 401);

  // The deletion of an account without a shard needs no tombstone.
  const std::string unused = shards.made("/admin/accounts", R"({"plan":"free"})", "account");
  shards.admin("DELETE", "/admin/accounts/" + unused);
  CHECK_FALSE(directory.change_of(unused));
  CHECK_FALSE(directory.has_shard(unused));
  CHECK(shards.whole(unused).empty());
}

TEST_CASE("a change made while an earlier one is replicated stays in the outbox") {
  Shards shards;
  const std::string account = shards.used_account();
  shards.admin("PATCH", "/admin/accounts/" + account, R"({"plan":"unlimited"})");
  const auto first = shards.next_change();
  REQUIRE(first);
  shards.admin("PATCH", "/admin/accounts/" + account, R"({"plan":"pro"})");
  shards.directory->directory().acknowledge(*first);
  const auto second = shards.next_change();
  REQUIRE(second);
  CHECK(second->replica != first->replica);
  CHECK_FALSE(shards.next_change(account));
  shards.directory->directory().acknowledge(*second);
  CHECK_FALSE(shards.next_change());
}

TEST_CASE("a replica that arrives after a newer one is rejected and changes nothing") {
  Shards shards;
  const std::string account = shards.used_account();
  const std::string key = shards.made("/admin/accounts/" + account + "/keys", "{}", "key");
  const std::string older = shards.whole(account);
  shards.replicate();  // restarts the directory's numbering of changes
  shards.admin("PATCH", "/admin/accounts/" + account, R"({"plan":"unlimited"})");
  shards.replicate();
  shards.revoke_first_key(account);
  const std::string newest = shards.next_change()->replica;
  shards.replicate();
  CHECK(shards.apply(older) == ReplicaOutcome::newer_here);
  CHECK(shards.status_of_admission(key) == 401);
  CHECK(shards.shard_store.rows("SELECT 1 FROM accounts WHERE plan = 'unlimited'").size() == 1);
  CHECK(shards.apply(newest) == ReplicaOutcome::behind);  // a repeated replica requires the version before it
  CHECK(shards.apply(shards.whole(account)) == ReplicaOutcome::applied);
  CHECK(shards.status_of_admission(key) == 401);
}

// RECORD-6
TEST_CASE("a deleted account leaves a tombstone that no replica of the same epoch replaces") {
  Shards shards;
  const std::string account = shards.used_account();
  const std::string key = shards.made("/admin/accounts/" + account + "/keys", "{}", "key");
  const std::string made = shards.whole(account);
  shards.replicate();
  shards.admin("DELETE", "/admin/accounts/" + account);
  CHECK(shards.whole(account).empty());
  const std::string removal = shards.directory->directory().change_of(account)->replica;
  for (int times = 0; times < 2; ++times) {
    CHECK(shards.apply(removal) == ReplicaOutcome::removed);
    CHECK(shards.status_of_admission(key) == 401);
    CHECK(shards.shard_store.rows("SELECT 1 FROM api_keys").empty());
    CHECK(shards.apply(made) == ReplicaOutcome::newer_here);
  }
  // In an emptied storage it is the only table.
  test::ObjectStore emptied;
  const auto shard = shards.make(emptied);
  shard->account().save_tombstone(removal);
  CHECK(emptied.rows("SELECT name FROM sqlite_master WHERE type = 'table'").size() == 1);
  CHECK_THROWS_AS(shard->account().save_tombstone(made), std::invalid_argument);
  shard->open_state();
  CHECK(shard->account().apply_replica(made) == ReplicaOutcome::newer_here);
}

// KEY-9
TEST_CASE("a replica contains only the changed keys if the shard has the version before") {
  Shards shards;
  const std::string account = shards.used_account();
  const std::string keys = "/admin/accounts/" + account + "/keys";
  const std::string sessions = "/admin/accounts/" + account + "/sessions";
  const std::string first = shards.made(keys, "{}", "key");
  shards.clock.advance_ms(1);  // makes it the oldest
  for (int made = 0; made < 50; ++made) shards.admin("POST", sessions, R"({"ttl_s":60})");
  shards.replicate();
  const std::string whole = shards.whole(account);

  const std::string session = shards.made(sessions, R"({"ttl_s":600})", "key");
  const std::string one_more = shards.next_change()->replica;
  CHECK(one_more.size() * 10 < whole.size());
  CHECK(shards.replicate() == 1);
  CHECK(shards.status_of_admission(session) == 200);
  CHECK(shards.status_of_admission(first) == 200);

  // Two changes that the shard has not received make one replica.
  const std::string second = shards.made(keys, "{}", "key");
  shards.revoke_first_key(account);
  CHECK(shards.replicate() == 1);
  CHECK(shards.status_of_admission(first) == 401);
  CHECK(shards.status_of_admission(second) == 200);
  CHECK(shards.directory_store.rows("SELECT 1 FROM key_changes").empty());

  // The next change removes expired session keys from the shard.
  shards.clock.advance_ms(60'000);
  shards.admin("PATCH", "/admin/accounts/" + account, R"({"plan":"pro"})");
  CHECK(shards.replicate() == 1);
  CHECK(shards.shard_store.rows("SELECT 1 FROM api_keys").size() == 2);
  CHECK(shards.status_of_admission(session) == 200);
}

TEST_CASE(
    "a shard that missed a change, or received another one, reports that it is behind and applies a complete replica") {
  Shards shards;
  const std::string account = shards.used_account();
  const std::string key = shards.made("/admin/accounts/" + account + "/keys", "{}", "key");
  shards.replicate();
  shards.admin("PATCH", "/admin/accounts/" + account, R"({"plan":"pro"})");
  shards.directory->directory().acknowledge(*shards.next_change());  // it never arrived
  shards.admin("PATCH", "/admin/accounts/" + account, R"({"plan":"unlimited"})");
  CHECK(shards.apply(shards.next_change()->replica) == ReplicaOutcome::behind);
  CHECK(shards.shard_store.rows("SELECT 1 FROM accounts WHERE plan = 'free'").size() == 1);
  CHECK(shards.apply(shards.whole(account)) == ReplicaOutcome::applied);
  CHECK(shards.shard_store.rows("SELECT 1 FROM accounts WHERE plan = 'unlimited'").size() == 1);
  CHECK(shards.status_of_admission(key) == 200);
}

// HOST-11
TEST_CASE("in a new epoch a shard's replica is outdated until one of that epoch replaces it") {
  Shards shards;
  const std::string account = shards.used_account();
  const std::string key = shards.made("/admin/accounts/" + account + "/keys", "{}", "key");
  shards.replicate();
  CHECK(shards.shard->account().outdated_account().empty());
  // Restores the directory to before the key, and changes it so that its count equals that of the shard.
  shards.directory_store.rows("DELETE FROM api_keys RETURNING key_id");
  shards.directory_store.rows("UPDATE accounts SET copy_number = 1 RETURNING account");
  shards.directory = shards.make(shards.directory_store, 1);
  shards.shard = shards.make(shards.shard_store, 1);
  CHECK(shards.shard->account().outdated_account() == account);
  CHECK(shards.apply(shards.whole(account)) == ReplicaOutcome::applied);
  CHECK(shards.shard->account().outdated_account().empty());
  CHECK(shards.status_of_admission(key) == 401);
  shards.admin("PATCH", "/admin/accounts/" + account, R"({"plan":"pro"})");
  CHECK(shards.apply(shards.next_change()->replica) == ReplicaOutcome::behind);
  CHECK(shards.apply(shards.whole(account)) == ReplicaOutcome::applied);
  // A deletion of the previous epoch is too late.
  shards.admin("DELETE", "/admin/accounts/" + account);
  shards.directory = shards.make(shards.directory_store, 0);
  CHECK(shards.apply(shards.next_change()->replica) == ReplicaOutcome::newer_here);
}

// HOST-60
TEST_CASE("in a new epoch, and by an import, an account has a shard") {
  Shards shards;
  const std::string account = shards.made("/admin/accounts", R"({"plan":"free"})", "account");
  shards.directory->directory().begin_epoch();
  CHECK_FALSE(shards.directory->directory().has_shard(account));

  shards.directory = shards.make(shards.directory_store, 1);
  auto& directory = shards.directory->directory();
  directory.begin_epoch();
  CHECK(directory.has_shard(account));
  shards.admin("DELETE", "/admin/accounts/" + account);
  REQUIRE(directory.change_of(account));
  CHECK(shards.apply(directory.change_of(account)->replica) == ReplicaOutcome::removed);
  directory.acknowledge(*directory.change_of(account));

  // Accounts that are created in the epoch have none, also after a restart.
  const std::string later = shards.made("/admin/accounts", R"({"plan":"free"})", "account");
  directory.begin_epoch();
  CHECK_FALSE(directory.has_shard(later));
  directory.add_shard(later);
  CHECK(directory.has_shard(later));
  REQUIRE(directory.change_of(later));
  CHECK(shards.apply(directory.change_of(later)->replica) == ReplicaOutcome::applied);
  directory.add_shard(later);
  directory.add_shard("acc_aaaaaaaaaaaaa");
  CHECK(shards.replicate() == 1);
}

// HOST-61
TEST_CASE("calls of a shard are counted in memory, exactly, until the counts are written") {
  CountingShards shards;
  const auto stored_calls = [&] {
    const sql::Rows rows = shards.shard_store.rows("SELECT minute_calls FROM call_counters");
    return rows.empty() ? -1 : std::get<std::int64_t>(rows[0][0]);
  };
  const auto shown_calls = [&](const std::string& method) {
    const Request request{Shards::head(method, "/admin/accounts/" + shards.account + "/limits", "token"), {}};
    const auto limits = boost::json::parse(shards.shard_calls().handle_admin(request).body);
    return limits.at_pointer("/limits/0/calls").to_number<int>();
  };
  // The plan `free` allows 20 calls a minute.
  for (int call = 0; call < 19; ++call) CHECK(shards.status_of_admission(shards.key) == 200);
  CHECK(stored_calls() == -1);
  shards.shard->account().write_counts();
  CHECK(shards.memory.bytes.empty());
  CHECK(stored_calls() == 19);
  CHECK(shards.status_of_admission(shards.key) == 200);
  CHECK(shards.status_of_admission(shards.key) == 429);
  CHECK(stored_calls() == 19);

  // A new instance of the core continues with what is in memory.
  shards.start();
  CHECK(shards.status_of_admission(shards.key) == 429);
  CHECK(shown_calls("GET") == 20);
  CHECK(stored_calls() == 20);
  CHECK(shown_calls("DELETE") == 0);
  CHECK(shards.status_of_admission(shards.key) == 200);
  CHECK(shown_calls("GET") == 1);

  // A reset discards what is in memory. Bytes that are no counts are ignored.
  CHECK(shards.status_of_admission(shards.key) == 200);
  CHECK_FALSE(shards.memory.bytes.empty());
  CHECK(shown_calls("DELETE") == 0);
  CHECK(shards.memory.bytes.empty());
  shards.memory.bytes = "malformed";
  CHECK(shards.status_of_admission(shards.key) == 200);
  CHECK(shown_calls("GET") == 1);

  // RECORD-6: counts of a deleted account are not written.
  CHECK(shards.status_of_admission(shards.key) == 200);
  shards.admin("DELETE", "/admin/accounts/" + shards.account);
  CHECK(shards.apply(shards.directory->directory().change_of(shards.account)->replica) == ReplicaOutcome::removed);
  shards.shard->account().write_counts();
  CHECK(stored_calls() == -1);
  CHECK(shards.memory.bytes.empty());
}

// HOST-61
TEST_CASE("a call of a shard writes one row, from which a shard that starts again continues") {
  CountingShards shards;
  const auto head = Shards::head("GET", "/v1/nothing", shards.key);
  const auto call = [&] {
    const auto admitted = std::get<Admitted>(shards.shard_calls().admit(head));
    shards.front_calls().answer(admitted, {head, {}});
    CHECK(shards.shard->account().write_records(shards.front_calls().take_records()) == 1);
    shards.shard->account().write_counts();
  };
  const auto shown = [&](const std::string& what, const std::string& pointer) {
    const Request request{Shards::head("GET", "/admin/accounts/" + shards.account + what, "token"), {}};
    return boost::json::parse(shards.shard_calls().handle_admin(request).body).at_pointer(pointer).as_int64();
  };
  const auto restart = [&] {
    shards.memory.bytes.clear();
    shards.start();
    shards.shard->open_state();
  };
  for (int times = 0; times < 3; ++times) {
    call();
    restart();
  }
  CHECK(shards.shard_store.rows("SELECT 1 FROM call_counters").empty());
  CHECK(shards.shard_store.rows("SELECT 1 FROM daily_usage").empty());
  SUBCASE("a reader of the counts") { CHECK(shown("/limits", "/limits/0/calls") == 3); }
  SUBCASE("a reader of the totals") { CHECK(shown("/usage", "/days/0/calls") == 3); }
  SUBCASE("retention, which may remove the record") { shards.shard->retain_step(); }
  SUBCASE("a lack of space") { CHECK(shards.shard->free_space_step()); }
  CHECK(shards.shard_store.rows("SELECT 1 FROM call_counters WHERE minute_calls = 3").size() == 1);
  CHECK(shards.shard_store.rows("SELECT 1 FROM daily_usage WHERE calls = 3").size() == 1);
  restart();
  CHECK(shards.memory.bytes.empty());
  CHECK(shown("/usage", "/days/0/calls") == 3);

  // A reset of the limits leaves the totals.
  call();
  CHECK(shards.shard_calls()
            .handle_admin({Shards::head("DELETE", "/admin/accounts/" + shards.account + "/limits", "token"), {}})
            .status == 200);
  CHECK(shown("/limits", "/limits/0/calls") == 0);
  CHECK(shown("/usage", "/days/0/calls") == 4);
  restart();
  CHECK(shown("/limits", "/limits/0/calls") == 0);

  // RECORD-6
  call();
  shards.admin("DELETE", "/admin/accounts/" + shards.account);
  CHECK(shards.apply(shards.directory->directory().change_of(shards.account)->replica) == ReplicaOutcome::removed);
  restart();
  CHECK(shards.memory.bytes.empty());
}

// HOST-62, RECORD-1
TEST_CASE("a message that the shard has counted is recorded by the role that ends it") {
  Shards shards;
  const std::string account = shards.used_account();
  const std::string key = shards.made("/admin/accounts/" + account + "/keys", "{}", "key");
  shards.replicate();
  const auto message = [&](const std::string& method, const std::string& params) {
    const std::string body = R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":)" + params + "}";
    return Request{Shards::head("POST", "/mcp", key), body};
  };
  const auto admit = [&](const Request& request) {
    const auto admitted = shards.shard_calls().admit(request.head);
    const auto counted = shards.shard_calls().admit_message(std::get<Admitted>(admitted), request);
    return std::get<AdmittedMessage>(counted);
  };
  const auto search = message("tools/call", R"({"name":"search_tracks","arguments":{}})");
  for (const bool is_refused : {false, true}) {
    const AdmittedMessage call = admit(search);
    CHECK(call.needs == MessageNeeds::catalog);
    CHECK(call.admitted.counted_message == "search_tracks");
    const Response response = is_refused ? shards.front_calls().refuse(call.admitted, search.head, {500, {}, {}})
                                         : shards.front_calls().answer(call.admitted, search);
    CHECK(response.status == (is_refused ? 500 : 200));
    CHECK(shards.shard->account().write_records(shards.front_calls().take_records()) == 1);
  }
  CHECK(shards.shard_store.rows("SELECT 1 FROM call_counters WHERE minute_calls = 2").size() == 1);

  const auto needs_of = [&](const std::string& params) { return admit(message("tools/call", params)).needs; };
  CHECK(needs_of(R"({"name":"create_collection","arguments":{"name":"Rain"}})") == MessageNeeds::write);
  CHECK(needs_of(R"({"name":"delete_collection","arguments":{"id":"col_0"}})") == MessageNeeds::state);
  CHECK(needs_of(R"({"name":"list_collections","arguments":{}})") == MessageNeeds::state);

  const auto list = message("tools/list", "{}");
  const AdmittedMessage no_call = admit(list);
  CHECK(no_call.needs == MessageNeeds::state);
  CHECK(shards.front_calls().refuse(no_call.admitted, list.head, {500, {}, {}}).status == 500);
  CHECK(shards.front_calls().take_records().empty());
}

TEST_CASE("the directory names the account that an admin request changed, once") {
  Shards shards;
  const auto changed = [&] { return shards.directory->calls(ShardRole::directory).take_changed_account(); };
  const std::string account = shards.used_account();
  CHECK(changed() == account);
  CHECK(changed().empty());
  shards.admin("GET", "/admin/accounts");
  shards.admin("PATCH", "/admin/accounts/acc_aaaaaaaaaaaaa", R"({"plan":"pro"})");
  CHECK(changed().empty());
  CHECK_FALSE(shards.directory->directory().change_of("acc_aaaaaaaaaaaaa"));
  shards.admin("PATCH", "/admin/accounts/" + account, R"({"plan":"pro"})");
  CHECK(changed() == account);
  REQUIRE(shards.directory->directory().change_of(account));
  CHECK(shards.directory->directory().change_of(account)->account == account);
}

TEST_CASE("malformed replicas and records are rejected and change nothing") {
  Shards shards;
  const std::string account = shards.made("/admin/accounts", R"({"plan":"free"})", "account");
  const std::string replica = shards.whole(account);
  for (const std::string& bad : {std::string(), replica.substr(0, replica.size() - 1), replica + 'x'}) {
    CHECK(shards.apply(bad) == ReplicaOutcome::malformed);
    CHECK_THROWS_AS(shards.shard->account().write_records(bad), std::invalid_argument);
  }
  CHECK(shards.shard_store.rows("SELECT 1 FROM accounts").empty());
}

TEST_CASE("the front routes a call to its shard, and decides who answers, without reading state") {
  Shards shards;
  const std::string account = shards.made("/admin/accounts", R"({"plan":"free"})", "account");
  const std::string key = shards.made("/admin/accounts/" + account + "/keys", "{}", "key");
  const auto route = [&](const std::string& method, const std::string& target) {
    return std::get<CallRoute>(shards.front->route(Shards::head(method, target, key)));
  };
  CHECK(route("GET", "/healthz").account.empty());
  CHECK(route("GET", "/v1/search?q=rain").account == account);
  CHECK_FALSE(route("GET", "/v1/search?q=rain").in_shard);
  CHECK_FALSE(route("GET", "/v1/nothing").in_shard);
  CHECK_FALSE(route("POST", "/v1/search").in_shard);
  for (const std::string target : {"/v1/collections", "/v1/collections/x", "/v1/collections/x/similar?limit=3"}) {
    CAPTURE(target);
    CHECK(route("GET", target).in_shard);
  }
  CHECK(route("POST", "/v1/collections").in_shard);
  CHECK(route("DELETE", "/v1/collections/x").in_shard);
  const auto status = [&](const std::string& target, const std::string& token) {
    return std::get<Response>(shards.front->route(Shards::head("GET", target, token))).status;
  };
  CHECK(status("/elsewhere", key) == 404);
  std::string damaged = key;
  damaged[20] = damaged[20] == 'A' ? 'B' : 'A';
  CHECK(status("/v1/search", damaged) == 401);
}

TEST_CASE("the admin interface routes only call records, usage, limits and collections to an account's shard") {
  Shards shards;
  const std::string account = shards.made("/admin/accounts", R"({"plan":"free"})", "account");
  const auto route = [&](const std::string& method, const std::string& target) {
    return std::get<CallRoute>(shards.front->route_admin(Shards::head(method, target, "token")));
  };
  CHECK(route("GET", "/admin/accounts/" + account + "/calls").account == account);
  CHECK(route("GET", "/admin/accounts/" + account + "/usage").account == account);
  CHECK(route("GET", "/admin/accounts/" + account + "/limits").account == account);
  CHECK(route("DELETE", "/admin/accounts/" + account + "/limits").account == account);
  CHECK(route("GET", "/admin/accounts/" + account + "/export/collections").account == account);
  CHECK(route("POST", "/admin/accounts/" + account + "/import/collections").account == account);
  CHECK(route("GET", "/admin/accounts/" + account + "/export/keys").account.empty());
  CHECK(route("POST", "/admin/accounts/" + account + "/import/keys").account.empty());
  CHECK(route("GET", "/admin/accounts/acc_nobody/usage").account.empty());
  CHECK(route("GET", "/admin/accounts/" + account).account.empty());
  CHECK(route("POST", "/admin/accounts/" + account + "/calls").account.empty());
  CHECK(std::get<Response>(shards.front->route_admin(Shards::head("GET", "/admin/accounts", "other"))).status == 401);
}

TEST_CASE(
    "a call that is admitted in the shard and answered elsewhere is recorded once, however often it is reported") {
  Shards shards;
  const std::string account = shards.used_account();
  const std::string key = shards.made("/admin/accounts/" + account + "/keys", "{}", "key");
  shards.replicate();
  std::string all;
  for (int call = 0; call < 2; ++call) {
    const auto head = Shards::head("GET", "/v1/nothing", key);
    const auto admitted = std::get<Admitted>(shards.shard_calls().admit(head));
    const Response response = shards.front_calls().answer(admitted, {head, {}});
    CHECK(response.status == 404);
    CHECK(find_header(response.headers, "RateLimit") != nullptr);
    const std::string records = shards.front_calls().take_records();
    CHECK(shards.shard->account().write_records(records) == 1);
    CHECK(shards.shard->account().write_records(records) == 0);
  }
  CHECK(shards.front_calls().take_records().empty());
  CHECK(shards.shard_calls().take_records().empty());
  const auto answer =
      shards.shard_calls().handle_admin({Shards::head("GET", "/admin/accounts/" + account + "/usage", "token"), {}});
  CHECK(boost::json::parse(answer.body).at_pointer("/days/0/calls").as_int64() == 2);
  // RECORD-6: a deleted account gets no records.
  shards.shard_store.rows("DELETE FROM accounts RETURNING account");
  const auto head = Shards::head("GET", "/v1/nothing", key);
  CHECK(std::get<Response>(shards.shard_calls().admit(head)).status == 401);
}

// MCP-20
TEST_CASE("The front and the shard name the OAuth metadata of /mcp, which the front answers") {
  Shards shards;
  const std::string named =
      R"(Bearer resource_metadata="https://api.example/.well-known/oauth-protected-resource/mcp")";
  const auto front = shards.front->route({"POST", "/mcp", {}});
  REQUIRE(std::holds_alternative<Response>(front));
  CHECK(*find_header(std::get<Response>(front).headers, "WWW-Authenticate") == named);
  const auto in_shard = shards.shard_calls().admit(Shards::head("POST", "/mcp", "unknown"));
  REQUIRE(std::holds_alternative<Response>(in_shard));
  CHECK(*find_header(std::get<Response>(in_shard).headers, "WWW-Authenticate") == named);
  const auto metadata = shards.front->route({"GET", "/.well-known/oauth-protected-resource", {}});
  REQUIRE(std::holds_alternative<Response>(metadata));
  CHECK(std::get<Response>(metadata).status == 200);
}
