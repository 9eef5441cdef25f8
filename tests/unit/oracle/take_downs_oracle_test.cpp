// Tracks that are taken down at once disappear from every answer as if the snapshot had been built without them
// (TAKEDOWN-2). The comparison is with a snapshot in which they are taken down.

#include <doctest/doctest.h>

#include <algorithm>
#include <boost/json.hpp>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "fakes.h"
#include "oracle_random.h"
#include "oracle_service.h"
#include "oracle_variants.h"

namespace tonearm::test {
namespace {

using oracle::Parameters;

constexpr int kTakeDownRounds = 40;
constexpr int kComparedSearches = 60;
constexpr std::uint64_t kTakeDownSeed = 20261126;

/// Takes some tracks down, often few, and returns their ids.
std::vector<std::string> take_some_down(std::vector<Track>& tracks, SeededRandom& random) {
  std::vector<std::string> ids;
  const std::size_t share = 1 + random.below(12);
  const std::size_t most = random.below(2) == 0 ? tracks.size() : 1 + tracks.size() / 256;
  for (Track& track : tracks) {
    if (ids.size() == most) break;
    if (track.taken_down || random.below(share) != 0) continue;
    track.taken_down = true;
    ids.push_back(track.id);
  }
  return ids;
}

/// Takes no track down without which the next build divides a family: those answers differ until then (TAKEDOWN-2).
void keep_families_whole(const std::vector<Track>& offered, std::vector<Track>& tracks, std::vector<std::string>& ids) {
  const auto before = oracle::families_of(offered);
  const auto after = oracle::families_of(tracks);
  std::map<std::size_t, std::size_t> remainder_of;  // by family
  std::set<std::size_t> divided;
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    if (tracks[i].taken_down) continue;
    if (remainder_of.try_emplace(before[i], after[i]).first->second != after[i]) divided.insert(before[i]);
  }
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    if (divided.count(before[i]) == 0) continue;
    tracks[i].taken_down = offered[i].taken_down;
    std::erase(ids, tracks[i].id);
  }
}

std::size_t total_of(const boost::json::object& page) { return page.at("total").to_number<std::size_t>(); }

/// Of artists only the counts: the snapshot has one spelling of each name.
std::string facets_of(const boost::json::object& page) {
  boost::json::object facets = page.at("facets").as_object();
  if (auto* creators = facets.if_contains("creator")) {
    boost::json::array counts;
    for (const auto& creator : creators->as_array()) counts.push_back(creator.at("count"));
    *creators = std::move(counts);
  }
  return boost::json::serialize(facets);
}

void compare_searches(TestService& built, TestService& reduced, SeededRandom& random,
                      const oracle::RandomCatalog& catalog) {
  Parameters parameters = oracle::random_search(random, catalog);
  // The weights of words, and which words are known, are those of the snapshot.
  parameters["match"] = "all";
  const bool has_scores =
      parameters.count("q") != 0 && (parameters.count("sort") == 0 || parameters["sort"] == "relevance");
  parameters["facets"] = oracle::random_facets(random, parameters);
  parameters["limit"] = "50";
  parameters["fields"] = "id";
  const std::string target = "/v1/search" + oracle::query_string(parameters);
  INFO(target);
  auto expected = built.get(target);
  auto found = reduced.get(target);
  CHECK(total_of(found) == total_of(expected));
  CHECK(facets_of(found) == facets_of(expected));
  std::vector<std::string> expected_ids = ids_of(expected);
  std::vector<std::string> found_ids = ids_of(found);
  // Seeds depend on the numbering, and scores on the weights.
  if (has_scores || parameters.count("seed") != 0) {
    // Which variant is shown depends on them, too.
    if (total_of(expected) > 50 || parameters.count("variants") != 0) return;
    std::sort(expected_ids.begin(), expected_ids.end());
    std::sort(found_ids.begin(), found_ids.end());
  }
  CHECK(found_ids == expected_ids);
}

void compare_similar(TestService& built, TestService& reduced, const std::string& id, SeededRandom& random) {
  const std::string target = "/v1/tracks/" + id + "/similar" + oracle::query_string(oracle::random_similar(random));
  INFO(target);
  CHECK(boost::json::serialize(reduced.get(target)) == boost::json::serialize(built.get(target)));
}

void compare_tracks(TestService& built, TestService& reduced, const std::vector<std::string>& ids) {
  for (const std::string& id : ids) {
    const std::string target = "/v1/tracks/" + id;
    INFO(target);
    const auto track = reduced.get(target);
    CHECK(track.at("preview_url").is_null());
    CHECK(track.at("original_url").is_null());
    CHECK(boost::json::serialize(track) == boost::json::serialize(built.get(target)));
    const std::string some = "/v1/tracks?ids=" + id + "&fields=preview_url,license.id,page_url";
    CHECK(reduced.get(some) == built.get(some));
  }
}

TEST_CASE("TAKEDOWN-2: answers lack tracks that were taken down as if the snapshot had been built without them") {
  TestService built;
  for (int round = 0; round < kTakeDownRounds; ++round) {
    CAPTURE(round);
    SeededRandom random(kTakeDownSeed + static_cast<std::uint64_t>(round));
    oracle::RandomCatalog catalog =
        oracle::random_catalog(random, round < 3 ? 2'000 : 5 + random.below(random.below(296) + 1));
    std::vector<Track> offered = catalog.tracks;
    std::vector<std::string> ids = take_some_down(catalog.tracks, random);
    keep_families_whole(offered, catalog.tracks, ids);
    put_catalog(built, 0, snapshot_bytes(catalog.tracks, catalog.options));
    TestService reduced;
    put_catalog(reduced, round, snapshot_bytes(offered, catalog.options));
    for (const std::string& id : ids) reduced.take_down(id);
    for (int i = 0; i < kComparedSearches; ++i) compare_searches(built, reduced, random, catalog);
    for (int i = 0; i < 20; ++i) {
      compare_similar(built, reduced, catalog.tracks[random.below(catalog.tracks.size())].id, random);
    }
    compare_tracks(built, reduced, ids);
  }
}

TEST_CASE("TAKEDOWN-2: tracks that only a track taken down relates stay variants until the next build") {
  std::vector<Track> tracks;
  for (const unsigned seconds : {10U, 20U, 30U}) {
    Track& track = tracks.emplace_back();
    track.id = "rain-" + std::to_string(seconds);
    track.artist = "Ada Example";
    track.source = "river.example";
    track.title = seconds == 20 ? "Rain 2" : "Rain 1";
    track.duration_ms = std::uint64_t{seconds} * 1000;
  }
  TestService reduced;
  put_catalog(reduced, 0, snapshot_bytes(tracks));
  const std::string target = "/v1/search?variants=collapse";
  CHECK(total_of(reduced.get(target)) == 1);
  reduced.take_down("rain-20");
  CHECK(total_of(reduced.get(target)) == 1);
  tracks[1].taken_down = true;
  put_catalog(reduced, 0, snapshot_bytes(tracks));
  CHECK(total_of(reduced.get(target)) == 2);
}

}  // namespace
}  // namespace tonearm::test
