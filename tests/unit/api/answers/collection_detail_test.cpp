// Collections while the catalog changes. These tests need more than one snapshot, so they are not case files.

#include "api/answers/collection_detail.h"

#include <doctest/doctest.h>

#include <boost/json.hpp>

#include "served_account.h"

using namespace tonearm;

namespace {

namespace bj = boost::json;

Track track(const std::string& id, LicenseId license = LicenseId::cc_by_4_0) {
  Track track;
  track.id = id;
  track.title = "Title \"" + id + "\"";
  track.artist = "Ada";
  track.duration_ms = 60'000;
  track.source = "example.org";
  track.license = license;
  return track;
}

struct Fixture : test::ServedAccount {
  void serve(const std::vector<Track>& tracks) { catalog = test::make_memory_catalog(tracks); }
  std::string make(const std::string& body) {
    const auto made = read("POST", "/v1/collections", body);
    return "/v1/collections/" + bj::value_to<std::string>(made.at("id"));
  }
};

}  // namespace

// ITEM-2, ITEM-3, CREDIT-2
TEST_CASE("a license record never changes, and an item reports that the catalog has another license") {
  Fixture fixture;
  fixture.serve({track("a-1"), track("a-2")});
  const std::string version = fixture.catalog->version();
  const std::string url = fixture.make(R"({"name":"x"})");
  const auto added = fixture.read("POST", url + "/items", R"({"tracks":["a-1","a-2"]})");
  const auto& record = added.at_pointer("/items/0/license_record");
  CHECK(record.at("catalog_version").as_string() == version);
  CHECK(record.at_pointer("/license/id").as_string() == "cc-by-4.0");

  fixture.clock.advance_ms(86'400'000);
  fixture.serve({track("a-1", LicenseId::cc0), track("a-2")});
  const auto now = fixture.read("GET", url);
  CHECK(now.at_pointer("/items/0/license_record") == record);
  CHECK(now.at_pointer("/items/0/license_changed").as_bool());
  CHECK(now.at_pointer("/items/0/track/license/id").as_string() == "cc0");
  CHECK_FALSE(now.at_pointer("/items/1/license_changed").as_bool());
  CHECK(now.at("revision").as_int64() == 2);
  const std::string text(now.at_pointer("/credits/text").as_string());
  CHECK(text.find("License recorded on 2026-01-15; the source now states another one.") != std::string::npos);
}

TEST_CASE("a changed attribution is a changed license") {
  Fixture fixture;
  fixture.serve({track("a-1", LicenseId::cc0)});
  const std::string url = fixture.make(R"({"name":"x"})");
  fixture.send("POST", url + "/items", R"({"track":"a-1"})");
  Track asked = track("a-1", LicenseId::cc0);
  asked.credit_requested = true;
  fixture.serve({asked});
  CHECK(fixture.read("GET", url).at_pointer("/items/0/license_changed").as_bool());
}

TEST_CASE("an item whose track is missing in the catalog stays, with its record and without a track") {
  Fixture fixture;
  fixture.serve({track("a-1"), track("a-2")});
  const std::string url = fixture.make(R"({"name":"x"})");
  fixture.send("POST", url + "/items", R"({"tracks":["a-1","a-2"]})");
  fixture.serve({track("a-2")});
  const auto now = fixture.read("GET", url);
  CHECK(now.at_pointer("/items/0/track").is_null());
  CHECK_FALSE(now.at_pointer("/items/0/license_changed").as_bool());
  CHECK(now.at_pointer("/items/1/track/id").as_string() == "a-2");
  CHECK(now.at_pointer("/credits/required").as_int64() == 2);
  const Response again = fixture.send("POST", url + "/items", R"({"tracks":["a-1","a-2"]})");
  CHECK(again.status == 200);
  CHECK(bj::parse(again.body).at_pointer("/results/0/already_present").as_bool());
  CHECK(fixture.send("PATCH", url + "/items/a-1", R"({"note":"kept"})").status == 200);
  CHECK(fixture.send("DELETE", url + "/items/a-1").status == 200);
  CHECK(fixture.send("POST", url + "/items", R"({"track":"a-1"})").status == 404);
}

TEST_CASE("an item that was taken down is shown without its sound, counts as present, and cannot be added again") {
  Fixture fixture;
  fixture.serve({track("a-1")});
  const std::string url = fixture.make(R"({"name":"x"})");
  fixture.send("POST", url + "/items", R"({"track":"a-1"})");
  Track down = track("a-1");
  down.original_url = "https://example.org/a-1.flac";
  down.taken_down = true;
  fixture.serve({down, track("a-2")});
  CHECK(fixture.read("GET", url).at_pointer("/items/0/track/original_url").is_null());
  CHECK(fixture.send("POST", url + "/items", R"({"track":"a-1"})").status == 200);
  CHECK(fixture.send("DELETE", url + "/items/a-1").status == 200);
  CHECK(fixture.send("POST", url + "/items", R"({"track":"a-1"})").status == 404);
}

TEST_CASE("a track that becomes non-commercial prevents commercial use of its collection, and no other edit") {
  Fixture fixture;
  fixture.serve({track("a-1"), track("a-2")});
  const std::string plain = fixture.make(R"({"name":"plain"})");
  const std::string advert = fixture.make(R"({"name":"advert","commercial":true})");
  for (const std::string& url : {plain, advert}) fixture.send("POST", url + "/items", R"({"track":"a-1"})");
  fixture.serve({track("a-1", LicenseId::cc_by_nc_4_0), track("a-2")});
  CHECK(fixture.send("PATCH", plain, R"({"revision":2,"commercial":true})").status == 422);
  CHECK(fixture.send("PATCH", plain, R"({"revision":2,"name":"still"})").status == 200);
  CHECK(fixture.send("PATCH", advert, R"({"revision":2,"name":"still","commercial":true})").status == 200);
  CHECK(fixture.send("POST", advert + "/items", R"({"track":"a-2"})").status == 201);
  CHECK(fixture.send("PUT", advert + "/order", R"({"tracks":["a-2","a-1"]})").status == 200);
  CHECK(fixture.send("PATCH", advert, R"({"revision":5,"commercial":false})").status == 200);
  CHECK(fixture.send("PATCH", advert, R"({"revision":6,"commercial":true})").status == 422);
}

TEST_CASE("without a catalog, collections can only be listed and deleted") {
  Fixture fixture;
  fixture.serve({track("a-1")});
  const std::string url = fixture.make(R"({"name":"x"})");
  fixture.send("POST", url + "/items", R"({"track":"a-1"})");
  fixture.catalog = nullptr;
  CHECK(fixture.read("GET", "/v1/collections").at_pointer("/collections/0/track_count").as_int64() == 1);
  CHECK(fixture.send("GET", url).status == 503);
  CHECK(fixture.send("DELETE", url + "/items/a-1").status == 503);
  CHECK(fixture.read("DELETE", url + "?confirm=true").at("items_deleted").as_int64() == 1);
  CHECK(fixture.read("GET", "/v1/collections").at("total").as_int64() == 0);
}

TEST_CASE("500 tracks fill a collection") {
  Fixture fixture;
  std::vector<Track> tracks;
  tracks.reserve(501);
  for (int i = 0; i < 501; ++i) tracks.push_back(track("t-" + std::to_string(i)));
  fixture.serve(tracks);
  const std::string url = fixture.make(R"({"name":"x"})");
  for (int from = 0; from < 500; from += 25) {
    bj::array ids;
    for (int i = from; i < from + 25; ++i) ids.emplace_back("t-" + std::to_string(i));
    REQUIRE(fixture.send("POST", url + "/items", bj::serialize(bj::object{{"tracks", ids}})).status == 201);
  }
  const Response refused = fixture.send("POST", url + "/items", R"({"tracks":["t-499","t-500"]})");
  CHECK(refused.status == 409);
  CHECK(bj::parse(refused.body).at("error").as_string() == "collection_full");
  CHECK(fixture.send("POST", url + "/items", R"({"tracks":["t-0","t-499"]})").status == 200);
  const auto whole = fixture.read("GET", url);
  CHECK(whole.at("items").as_array().size() == 500);
  CHECK(whole.at_pointer("/items/499/position").as_int64() == 499);
}
