// The tracks that a shard stores with collections, because its catalog is remote (docs/spec/hosts.md).

#include <doctest/doctest.h>

#include <boost/json.hpp>

#include "memory_catalog.h"
#include "shards_fixture.h"

using namespace tonearm;

namespace {

struct CollectingShards : test::Shards {
  CollectingShards() {
    replicate();
    serve(LicenseId::cc_by_4_0);
  }
  /// Serves another version of the catalog.
  void serve(LicenseId license) {
    std::vector<Track> tracks(4);
    for (std::size_t i = 0; i < tracks.size(); ++i) {
      tracks[i].id = "t-" + std::to_string(i);
      tracks[i].title = "Rain " + std::to_string(i);
      tracks[i].duration_ms = 60'000;
      tracks[i].source = "example.org";
      tracks[i].license = license;
      tracks[i].preview_url = "https://example.org/a.mp3";
    }
    catalog = test::make_memory_catalog(tracks);
  }
  std::string send(const std::string& method, const std::string& target, const std::string& body = {}) {
    const RequestHead request = head(method, target, key);
    const auto admitted = std::get<Admitted>(shard_calls().admit(request));
    const Response response = shard_calls().answer(admitted, {request, body});
    CHECK(response.status / 100 == 2);
    return response.body;
  }
  std::string new_collection(const std::string& tracks) {
    const auto made = boost::json::parse(send("POST", "/v1/collections", R"({"name":"x"})"));
    std::string path = "/v1/collections/" + boost::json::value_to<std::string>(made.at("id"));
    send("POST", path + "/items", R"({"tracks":)" + tracks + "}");
    return path;
  }
  std::size_t rows() { return shard_store.rows("SELECT part FROM collection_tracks").size(); }
  /// Replaces text in what is stored, so that answers show whether they were made from it.
  void replace_stored(const std::string& text, const std::string& by) {
    shard_store.rows("UPDATE collection_tracks SET tracks = replace(tracks, '" + text + "', '" + by + "')");
  }

  const std::string account = used_account();
  const std::string key = made("/admin/accounts/" + account + "/keys", "{}", "key");
};

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

// HOST-63
TEST_CASE("a shard reads the tracks of a collection from its store until the catalog has another version") {
  CollectingShards shards;
  const std::string path = shards.new_collection(R"(["t-0","t-1"])");
  CHECK(shards.rows() == 1);
  shards.replace_stored("Rain 0", "Snow 0");
  CHECK(contains(shards.send("GET", path), R"("title":"Snow 0")"));

  const std::string added = shards.send("POST", path + "/items", R"({"track":"t-2"})");
  CHECK(contains(added, R"("title":"Snow 0")"));
  CHECK(contains(added, R"("title":"Rain 2")"));
  shards.replace_stored("Rain 2", "Snow 2");
  CHECK(contains(shards.send("GET", path), R"("title":"Snow 2")"));
  const std::string removed = shards.send("DELETE", path + "/items/t-2");
  CHECK_FALSE(contains(removed, "Snow 2"));

  shards.serve(LicenseId::cc0);
  const std::string after = shards.send("GET", path);
  CHECK_FALSE(contains(after, "Snow"));
  CHECK(contains(after, R"("license_changed":2)"));
  shards.replace_stored("Rain 0", "Snow 0");
  CHECK(contains(shards.send("GET", path), R"("title":"Snow 0")"));
  CHECK(shards.rows() == 1);
  shards.send("DELETE", path + "?confirm=true");
  CHECK(shards.rows() == 0);
}

// HOST-63, TAKEDOWN-2
TEST_CASE("the track of a take-down is not read from a shard's store, and is again when the take-down is removed") {
  CollectingShards shards;
  const std::string path = shards.new_collection(R"(["t-0","t-1"])");
  const auto previews = [&] {
    const auto detail = boost::json::parse(shards.send("GET", path));
    std::string text;
    for (const auto& item : detail.at("items").as_array()) {
      text += item.at_pointer("/track/preview_url").is_null() ? "none " : "some ";
    }
    return text;
  };
  CHECK(previews() == "some some ");
  shards.shard->take_down({"t-0"});
  CHECK(previews() == "none some ");
  CHECK(shards.shard_store.rows("SELECT 1 FROM collection_tracks WHERE tracks LIKE '%Rain 0%'").empty());
  shards.send("POST", path + "/items", R"({"track":"t-2"})");
  CHECK(previews() == "none some some ");
  shards.shard->take_down({});
  CHECK(previews() == "some some some ");
}

// HOST-14, HOST-63
TEST_CASE("a shard without space deletes stored tracks before any call record") {
  CollectingShards shards;
  const std::string path = shards.new_collection(R"(["t-0"])");
  shards.shard->account().write_records(shards.shard_calls().take_records());
  const auto records = [&] { return shards.shard_store.rows("SELECT 1 FROM daily_usage WHERE records > 0").size(); };
  CHECK(shards.rows() == 1);
  CHECK(records() == 1);
  CHECK(shards.shard->free_space_step());
  CHECK(shards.rows() == 0);
  CHECK(records() == 1);
  CHECK(shards.shard->free_space_step());
  CHECK(contains(shards.send("GET", path), R"("title":"Rain 0")"));
}
