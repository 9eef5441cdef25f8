#include "neighbors.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "fakes.h"
#include "intake.h"
#include "track_features.h"

namespace tonearm::builder {
namespace {

std::vector<Track> random_tracks(std::uint64_t seed, std::uint32_t count) {
  test::SeededRandom random(seed);
  std::vector<Track> tracks(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    auto& track = tracks[i];
    track.id = "t-" + std::to_string(i);
    track.kind = random.below(2) == 0 ? Kind::music : Kind::sfx;
    track.title = "word" + std::to_string(random.below(20)) + " other" + std::to_string(random.below(9));
    track.artist = "artist" + std::to_string(random.below(4));
    track.duration_ms = 1'000 + random.below(300'000);
    track.bpm_hundredths = static_cast<std::uint32_t>(random.below(3) == 0 ? 0 : 6'000 + random.below(9'000));
    for (auto& ids : track.tags) ids.push_back("tag" + std::to_string(random.below(6)));
    if (track.kind == Kind::sfx) track.category = static_cast<std::uint8_t>(random.below(kCategoryCount));
    track.taken_down = random.below(20) == 0;
  }
  return tracks;
}

void check_rules(const std::vector<Track>& tracks, std::size_t count_max) {
  for (std::uint32_t i = 0; i < tracks.size(); ++i) {
    const auto& list = tracks[i].neighbors;
    CHECK(list.size() <= count_max);
    auto sorted = list;
    std::sort(sorted.begin(), sorted.end());
    CHECK(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end());
    for (const auto other : list) {
      CHECK(other != i);
      CHECK(tracks[other].kind == tracks[i].kind);
      CHECK(is_speech(tracks[other]) == is_speech(tracks[i]));
      CHECK_FALSE(tracks[other].taken_down);
    }
  }
}

Track tagged(const std::string& id, const std::string& artist, std::vector<std::string> genres) {
  Track track;
  track.id = id;
  track.artist = artist;
  track.duration_ms = 1000;
  track.tags[0] = std::move(genres);
  return track;
}

}  // namespace

TEST_CASE("the logarithm is that of the integers") {
  CHECK(log2_sixteenths(1) == 0);
  CHECK(log2_sixteenths(2) == 16);
  CHECK(log2_sixteenths(3) == 25);  // 1.58496 * 16 = 25.36
  CHECK(log2_sixteenths(1000) == 159);
  CHECK(log2_sixteenths(1ULL << 40U) == 640);
}

TEST_CASE("neighbors are of the same kind, speech with speech, never itself, never taken down, at most 64") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    auto tracks = random_tracks(seed, 400);
    compute_neighbors(tracks, std::vector<bool>(tracks.size()));
    check_rules(tracks, 64);
  }
}

TEST_CASE("the same tracks give the same lists, also where the budget is short") {
  for (const std::uint32_t budget : {32'768U, 300U}) {
    auto first = random_tracks(7, 500);
    auto second = first;
    const NeighborOptions options{.count = 64, .budget = budget};
    compute_neighbors(first, std::vector<bool>(first.size()), options);
    compute_neighbors(second, std::vector<bool>(second.size()), options);
    for (std::size_t i = 0; i < first.size(); ++i) CHECK(first[i].neighbors == second[i].neighbors);
    check_rules(first, 64);
  }
}

TEST_CASE("what shares more is closer, and equals stand in the order of their ids") {
  std::vector<Track> tracks{tagged("a-0", "", {"jazz", "swing", "bop"}), tagged("a-4", "", {"jazz", "rock"}),
                            tagged("a-3", "", {"jazz", "rock"}),         tagged("a-2", "", {"jazz", "swing", "bop"}),
                            tagged("a-1", "", {"rock", "metal"}),        tagged("a-5", "", {"metal", "polka"})};
  compute_neighbors(tracks, std::vector<bool>(tracks.size()));
  REQUIRE(tracks[0].neighbors.size() >= 3);
  CHECK(tracks[0].neighbors[0] == 3);
  CHECK(tracks[0].neighbors[1] == 2);  // a-3 before a-4
  CHECK(tracks[0].neighbors[2] == 1);
}

TEST_CASE("among the first ten at most three are by one artist while others are to be had") {
  std::vector<Track> tracks;
  tracks.reserve(28);
  for (int i = 0; i < 20; ++i) tracks.push_back(tagged("a-" + std::to_string(i), "Ann", {"jazz", "swing"}));
  for (int i = 0; i < 8; ++i) {
    tracks.push_back(
        tagged("b-" + std::to_string(i), "Bob" + std::to_string(i), {"jazz", "x" + std::to_string(i % 2)}));
  }
  for (int i = 0; i < 40; ++i)
    tracks.push_back(tagged("c-" + std::to_string(i), "", {"polka" + std::to_string(i % 3)}));
  compute_neighbors(tracks, std::vector<bool>(tracks.size()));
  std::map<std::string, int> by_artist;
  for (std::size_t i = 0; i < 10; ++i) ++by_artist[tracks[tracks[0].neighbors[i]].artist];
  CHECK(by_artist["Ann"] == 3);
  CHECK(tracks[0].neighbors.size() >= 27);  // the others of Ann follow
}

TEST_CASE("a given list is not touched") {
  auto tracks = random_tracks(9, 50);
  std::vector<bool> given(tracks.size());
  given[3] = true;
  compute_neighbors(tracks, given);
  CHECK(tracks[3].neighbors.empty());
}

TEST_CASE("of given neighbors, unknown ids, another kind, the track itself and what is taken down are dropped") {
  Report report;
  report.begin_input("lines");
  Intake intake({}, {}, report);
  const auto take = [&](const std::string& id, const std::string& kind, std::optional<std::string> category,
                        std::optional<std::vector<std::string>> neighbors, bool taken_down = false) {
    Line line;
    line.id = id;
    line.kind = kind;
    line.title = id;
    line.duration_s = "1";
    line.license = "cc0";
    line.source = "a.example";
    line.category = std::move(category);
    line.neighbors = std::move(neighbors);
    line.taken_down = taken_down;
    intake.take(1, std::move(line));
  };
  take("a-1", "sfx", {}, std::vector<std::string>{"a-9", "a-1", "a-2", "a-3", "a-4", "a-5", "a-3"});
  take("a-2", "music", {}, {});
  take("a-3", "sfx", {}, std::vector<std::string>{});
  take("a-4", "sfx", "sp-s", std::vector<std::string>{"a-3"});
  take("a-5", "sfx", {}, {}, true);
  take("a-3", "sfx", {}, {});
  const auto collected = intake.finish();
  REQUIRE(collected.tracks.size() == 5);
  CHECK(collected.tracks[0].neighbors == std::vector<std::uint32_t>{2});
  CHECK(collected.given == std::vector<bool>{true, false, true, true, false});
  CHECK(report.neighbors_given == 2);
  CHECK(report.neighbors_dropped == 6);
  CHECK(report.count(Reason::duplicate_id) == 1);
}

}  // namespace tonearm::builder
