// The calls that a service admits without blocking.

#include <doctest/doctest.h>

#include <boost/json.hpp>

#include "fakes.h"
#include "memory_catalog.h"
#include "system/system_ports.h"
#include "tonearm/service.h"
#include "tonearm/sqlite.h"

using namespace tonearm;

namespace {

Request get_request(const std::string& target, const std::string& key) {
  Headers headers;
  if (!key.empty()) headers.push_back({"Authorization", "Bearer " + key});
  return {{"GET", target, headers, "127.0.0.1"}, ""};
}

struct AtOnceFixture {
  AtOnceFixture() {
    Track track;
    track.id = "t-1";
    track.title = "Title";
    track.duration_ms = 60'000;
    track.source = "example.org";
    track.license = LicenseId::cc_by_4_0;
    catalog = test::make_memory_catalog(std::vector<Track>{track});
    ServiceOptions options;
    options.admin_token_hash = hashing.sha256("token");
    options.shares_bodies = true;
    service = Service::make({clock, random, hashing, *store, [this] { return catalog; }}, options);
    const auto admin = [this](const std::string& target, const std::string& body) {
      auto response = service->handle_admin(
          {{"POST", target, {{"Authorization", "Bearer token"}, {"Content-Type", "application/json"}}, ""}, body});
      return boost::json::parse(response.body).as_object();
    };
    const auto made = admin("/admin/accounts", R"({"plan":"unlimited"})");
    const std::string account(made.at("account").as_string());
    key = std::string(admin("/admin/accounts/" + account + "/keys", "{}").at("key").as_string());
  }

  /// Returns the status of a rejected call, 0 for an admitted one, or nothing if it would block.
  std::optional<int> try_admit(const std::string& target, const std::string& with) const {
    const auto outcome = service->try_admit(get_request(target, with).head);
    if (!outcome) return std::nullopt;
    const auto* refused = std::get_if<Response>(&*outcome);
    return refused == nullptr ? 0 : refused->status;
  }

  test::FakeClock clock;
  test::SeededRandom random{1};
  native::OpensslHashing hashing;
  std::unique_ptr<sql::Store> store =
      sql::make_sqlite_store(sql::open_sqlite(":memory:", sql::OpenMode::read_write_create));
  std::shared_ptr<const Catalog> catalog;
  std::unique_ptr<Service> service;
  std::string key;
};

}  // namespace

TEST_CASE("try_admit admits calls that need only memory and the catalog, and no others") {
  const AtOnceFixture fixture;
  CHECK_FALSE(fixture.try_admit("/v1/search", fixture.key));  // the key must be looked up first
  CHECK(fixture.service->handle(get_request("/v1/search", fixture.key)).status == 200);
  CHECK(fixture.try_admit("/v1/search", fixture.key) == 0);
  CHECK(fixture.try_admit("/v1/tracks/t-1", fixture.key) == 0);
  CHECK(fixture.try_admit("/v1/search", "") == 401);
  CHECK(fixture.try_admit("/v1/search", "no key") == 401);
  CHECK(fixture.try_admit("/healthz", "") == 0);
  for (const std::string target : {"/readyz", "/v1/collections", "/v1/usage", "/v1/nothing", "/mcp", "/other"}) {
    CHECK_FALSE(fixture.try_admit(target, fixture.key));
  }
}

TEST_CASE("a cached answer shares the cache's body if the host enables it") {
  const AtOnceFixture fixture;
  const auto request = get_request("/v1/search", fixture.key);
  const auto made = fixture.service->handle(request);
  const auto kept = fixture.service->handle(request);
  const auto again = fixture.service->handle(request);
  CHECK(made.shared_body == nullptr);
  REQUIRE(kept.shared_body != nullptr);
  CHECK(kept.body.empty());
  CHECK(kept.text() == made.text());
  CHECK(kept.shared_body == again.shared_body);
}
