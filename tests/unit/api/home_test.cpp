// Accounts that live in homes of their own (tonearm/home.h): a directory, the home of one account, and a front with
// neither, as the edge has them.

#include "tonearm/home.h"

#include <doctest/doctest.h>

#include <boost/json.hpp>
#include <string>

#include "fakes.h"
#include "system_ports.h"

using namespace tonearm;

namespace {

/// A store as an object's storage is: used from elsewhere too, and giving numbers.
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

struct Homes {
  Homes() {
    directory->open_state();
    home->open_state();
  }

  std::unique_ptr<HomeService> make(Home kind, sql::Store& store) {
    ServiceOptions options;
    options.key_secret = "the secret of these tests";
    options.admin_token_hash = hashing.sha256("token");
    return HomeService::make(kind, {clock, random, hashing, store, [] { return nullptr; }}, options);
  }

  static RequestHead head(const std::string& method, const std::string& target, const std::string& token) {
    return {method, target, {{"Authorization", "Bearer " + token}}};
  }
  std::string admin(const std::string& method, const std::string& target, const std::string& body = {}) {
    return directory->handle_admin({head(method, target, "token"), body}).body;
  }
  std::string made(const std::string& target, const std::string& body, const std::string& member) {
    return boost::json::value_to<std::string>(boost::json::parse(admin("POST", target, body)).at(member));
  }
  void revoke_first_key(const std::string& account) {
    const auto keys = boost::json::parse(admin("GET", "/admin/accounts/" + account + "/keys"));
    admin("DELETE", "/admin/keys/" + boost::json::value_to<std::string>(keys.at_pointer("/keys/0/key_id")));
  }
  /// Brings what changed to the one home. How many changes there were.
  int bring() {
    int count = 0;
    for (auto change = directory->next_change(""); change; change = directory->next_change("")) {
      if (!change->copy.empty()) home->take_copy(change->copy);
      directory->delivered(*change);
      ++count;
    }
    return count;
  }
  int status_of_admission(const std::string& key) {
    const auto admitted = home->admit(head("GET", "/v1/collections", key));
    const auto* refusal = std::get_if<Response>(&admitted);
    return refusal == nullptr ? 200 : refusal->status;
  }

  test::FakeClock clock;
  test::SeededRandom random{3};
  native::OpensslHashing hashing;
  ObjectStore directory_store;
  ObjectStore home_store;
  std::unique_ptr<sql::Store> nobodys_store =
      sql::make_sqlite_store(sql::open_sqlite(":memory:", sql::OpenMode::read_write_create));
  std::unique_ptr<HomeService> directory = make(Home::directory, directory_store);
  std::unique_ptr<HomeService> home = make(Home::account, home_store);
  std::unique_ptr<HomeService> front = make(Home::nobody, *nobodys_store);
};

}  // namespace

TEST_CASE("a change is in force in the home as soon as it is brought") {
  Homes homes;
  const std::string account = homes.made("/admin/accounts", R"({"plan":"free"})", "account");
  const std::string key = homes.made("/admin/accounts/" + account + "/keys", "{}", "key");
  CHECK(homes.status_of_admission(key) == 401);
  CHECK(homes.bring() == 1);  // both changes are of one account
  CHECK(homes.bring() == 0);
  CHECK(homes.status_of_admission(key) == 200);

  homes.revoke_first_key(account);
  CHECK(homes.bring() == 1);
  CHECK(homes.status_of_admission(key) == 401);
}

TEST_CASE("a change that is made while an earlier one is brought stays to be brought") {
  Homes homes;
  const std::string account = homes.made("/admin/accounts", R"({"plan":"free"})", "account");
  const auto first = homes.directory->next_change("");
  REQUIRE(first);
  homes.admin("PATCH", "/admin/accounts/" + account, R"({"plan":"pro"})");
  homes.directory->delivered(*first);
  const auto second = homes.directory->next_change("");
  REQUIRE(second);
  CHECK(second->copy != first->copy);
  CHECK_FALSE(homes.directory->next_change(account));
  homes.directory->delivered(*second);
  CHECK_FALSE(homes.directory->next_change(""));
}

TEST_CASE("a copy that comes after a newer one is refused and changes nothing") {
  Homes homes;
  const std::string account = homes.made("/admin/accounts", R"({"plan":"free"})", "account");
  const std::string key = homes.made("/admin/accounts/" + account + "/keys", "{}", "key");
  const std::string older = homes.directory->next_change("")->copy;
  homes.bring();  // which starts the directory's own count of changes again
  homes.admin("PATCH", "/admin/accounts/" + account, R"({"plan":"unlimited"})");
  homes.bring();
  homes.revoke_first_key(account);
  const std::string newest = homes.directory->next_change("")->copy;
  homes.bring();
  CHECK_THROWS_AS(homes.home->take_copy(older), std::invalid_argument);
  CHECK(homes.status_of_admission(key) == 401);
  CHECK(homes.home_store.rows("SELECT 1 FROM accounts WHERE plan = 'unlimited'").size() == 1);
  homes.home->take_copy(newest);  // the same again
  CHECK(homes.status_of_admission(key) == 401);
}

TEST_CASE("a deleted account is a change without a copy") {
  Homes homes;
  const std::string account = homes.made("/admin/accounts", R"({"plan":"free"})", "account");
  homes.bring();
  homes.admin("DELETE", "/admin/accounts/" + account);
  const auto change = homes.directory->next_change("");
  REQUIRE(change);
  CHECK(change->account == account);
  CHECK(change->copy.empty());
}

TEST_CASE("bytes that are no copy or no records are refused and change nothing") {
  Homes homes;
  homes.made("/admin/accounts", R"({"plan":"free"})", "account");
  const std::string copy = homes.directory->next_change("")->copy;
  for (const std::string& bad : {std::string(), copy.substr(0, copy.size() - 1), copy + 'x'}) {
    CHECK_THROWS_AS(homes.home->take_copy(bad), std::invalid_argument);
    CHECK_THROWS_AS(homes.home->write_records(bad), std::invalid_argument);
  }
  CHECK(homes.home_store.rows("SELECT 1 FROM accounts").empty());
}

TEST_CASE("the front says whose home is asked, and whether it answers too, without looking at any state") {
  Homes homes;
  const std::string account = homes.made("/admin/accounts", R"({"plan":"free"})", "account");
  const std::string key = homes.made("/admin/accounts/" + account + "/keys", "{}", "key");
  const auto place = [&](const std::string& method, const std::string& target) {
    return std::get<CallPlace>(homes.front->locate(Homes::head(method, target, key)));
  };
  CHECK(place("GET", "/healthz").account.empty());
  CHECK(place("GET", "/v1/search?q=rain").account == account);
  CHECK_FALSE(place("GET", "/v1/search?q=rain").at_home);
  CHECK_FALSE(place("GET", "/v1/nothing").at_home);
  CHECK_FALSE(place("POST", "/v1/search").at_home);
  for (const std::string target : {"/v1/collections", "/v1/collections/x", "/v1/collections/x/similar?limit=3"}) {
    CAPTURE(target);
    CHECK(place("GET", target).at_home);
  }
  CHECK(place("POST", "/v1/collections").at_home);
  CHECK(place("DELETE", "/v1/collections/x").at_home);
  const auto status = [&](const std::string& target, const std::string& token) {
    return std::get<Response>(homes.front->locate(Homes::head("GET", target, token))).status;
  };
  CHECK(status("/elsewhere", key) == 404);
  std::string damaged = key;
  damaged[20] = damaged[20] == 'A' ? 'B' : 'A';
  CHECK(status("/v1/search", damaged) == 401);
}

TEST_CASE("of the admin interface only what calls left is asked of an account's home") {
  Homes homes;
  const std::string account = homes.made("/admin/accounts", R"({"plan":"free"})", "account");
  const auto place = [&](const std::string& method, const std::string& target) {
    return std::get<CallPlace>(homes.front->locate_admin(Homes::head(method, target, "token")));
  };
  CHECK(place("GET", "/admin/accounts/" + account + "/calls").account == account);
  CHECK(place("GET", "/admin/accounts/" + account + "/usage").account == account);
  CHECK(place("GET", "/admin/accounts/acc_nobody/usage").account.empty());
  CHECK(place("GET", "/admin/accounts/" + account).account.empty());
  CHECK(place("POST", "/admin/accounts/" + account + "/calls").account.empty());
  CHECK(std::get<Response>(homes.front->locate_admin(Homes::head("GET", "/admin/accounts", "other"))).status == 401);
}

TEST_CASE("a call that is admitted at home and answered elsewhere is recorded once, however often it is reported") {
  Homes homes;
  const std::string account = homes.made("/admin/accounts", R"({"plan":"free"})", "account");
  const std::string key = homes.made("/admin/accounts/" + account + "/keys", "{}", "key");
  homes.bring();
  std::string all;
  for (int call = 0; call < 2; ++call) {
    const auto head = Homes::head("GET", "/v1/nothing", key);
    const auto admitted = std::get<Admitted>(homes.home->admit(head));
    const Response response = homes.front->answer(admitted, {head, {}});
    CHECK(response.status == 404);
    CHECK(find_header(response.headers, "RateLimit") != nullptr);
    const std::string records = homes.front->take_records();
    CHECK(homes.home->write_records(records) == 1);
    CHECK(homes.home->write_records(records) == 0);
  }
  CHECK(homes.front->take_records().empty());
  CHECK(homes.home->take_records().empty());
  const auto answer =
      homes.home->handle_admin({Homes::head("GET", "/admin/accounts/" + account + "/usage", "token"), {}});
  CHECK(boost::json::parse(answer.body).at_pointer("/days/0/calls").as_int64() == 2);
  // C9: an account that is gone takes no records.
  homes.home_store.rows("DELETE FROM accounts RETURNING account");
  const auto head = Homes::head("GET", "/v1/nothing", key);
  CHECK(std::get<Response>(homes.home->admit(head)).status == 401);
}
