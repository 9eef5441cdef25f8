// GET /v1/changes of a catalog that knows changes, which that of the case files does not.

#include <doctest/doctest.h>

#include <boost/json.hpp>

#include "served_account.h"

using namespace tonearm;

namespace {

namespace bj = boost::json;

constexpr const char* kBefore = "0123456789abcdef";

struct CatalogChangesFixture : test::ServedAccount {
  CatalogChangesFixture() {
    std::vector<Track> tracks(3);
    for (std::size_t i = 0; i < tracks.size(); ++i) {
      tracks[i].id = "t-" + std::to_string(i);
      tracks[i].title = "Title";
      tracks[i].duration_ms = 60'000;
      tracks[i].source = "example.org";
    }
    SnapshotOptions snapshot;
    snapshot.changes = {{kBefore,
                         {{ChangeKind::license_changed, "t-1", "cc0", "cc-by-nc-4.0"},
                          {ChangeKind::removed, "t-9", "cc-by-4.0", ""},
                          {ChangeKind::added, "t-2", "", "cc0"}}}};
    catalog = test::make_memory_catalog(tracks, snapshot);
  }
  Response get(const std::string& query, const Headers& more = {}) {
    return send("GET", "/v1/changes" + query, {}, more);
  }
};

}  // namespace

TEST_CASE("CHANGE-1, CHANGE-2: changes are listed in pages, with the licenses before and after") {
  CatalogChangesFixture fixture;
  const std::string own = fixture.catalog->version();
  const Response first = fixture.get(std::string("?limit=2&since=") + kBefore);
  CHECK(first.status == 200);
  CHECK(first.body ==
        R"({"changes":[{"change":"license_changed","track_id":"t-1","catalog_version":")" + own +
            R"(","license_before":"cc0","license_after":"cc-by-nc-4.0"},)"
            R"({"change":"removed","track_id":"t-9","catalog_version":")" +
            own +
            R"(","license_before":"cc-by-4.0","license_after":null}],"total":3,"cursor":"2","catalog_version":")" +
            own + R"(","taken_down":[]})");
  const auto second = bj::parse(fixture.get(std::string("?limit=2&cursor=2&since=") + kBefore).body);
  CHECK(second.at("cursor").is_null());
  REQUIRE(second.at("changes").as_array().size() == 1);
  CHECK(second.at("changes").at(0).at("change") == "added");
  CHECK(second.at("changes").at(0).at("license_before").is_null());
}

TEST_CASE("CHANGE-1: an unknown version is 404 and names the known ones, a missing one 400") {
  CatalogChangesFixture fixture;
  const Response unknown = fixture.get("?since=0000000000000000");
  CHECK(unknown.status == 404);
  CHECK(
      bj::parse(unknown.body).at("message") ==
      "The changes since the version \"0000000000000000\" are not known. It knows those since \"0123456789abcdef\" and "
      "later. Compare all tracks instead.");
  for (const char* query : {"", "?since=", "?since=0123456789abcdef&limit=0", "?since=0123456789abcdef&limit=1001",
                            "?since=0123456789abcdef&cursor=x", "?since=0123456789abcdef&until=x"}) {
    CAPTURE(query);
    const Response bad = fixture.get(query);
    CHECK(bad.status == 400);
    CHECK(bj::parse(bad.body).at("error") == "invalid_parameter");
  }
}

TEST_CASE("CHANGE-4: the answer since the served version is empty, and is not sent again while nothing changes") {
  CatalogChangesFixture fixture;
  const Response none = fixture.get("?since=" + fixture.catalog->version());
  CHECK(none.status == 200);
  CHECK(bj::parse(none.body).at("total") == 0);
  std::string tag;
  for (const Header& header : none.headers) {
    if (header.name == "ETag") tag = header.value;
  }
  REQUIRE_FALSE(tag.empty());
  CHECK(fixture.get("?since=" + fixture.catalog->version(), {{"If-None-Match", tag}}).status == 304);
}
