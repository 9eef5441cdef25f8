#include "neighbors_in_memory.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <span>

#include "fakes.h"
#include "intake/intake.h"
#include "neighbors_oracle.h"
#include "tonearm/result.h"
#include "track_files.h"

namespace tonearm::builder {
namespace {

using Lists = std::map<std::string, std::vector<std::string>>;  // by id

std::vector<Track> random_tracks(std::uint64_t seed, std::uint32_t count, std::uint64_t artists = 4) {
  test::SeededRandom random(seed);
  std::vector<Track> tracks(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    auto& track = tracks[i];
    track.id = "t-" + std::to_string(i);
    track.kind = random.below(2) == 0 ? Kind::music : Kind::sfx;
    track.title = "word" + std::to_string(random.below(20)) + " other" + std::to_string(random.below(9));
    track.artist = "artist" + std::to_string(random.below(artists));
    track.duration_ms = 1'000 + random.below(300'000);
    track.bpm_hundredths = static_cast<std::uint32_t>(random.below(3) == 0 ? 0 : 6'000 + random.below(9'000));
    for (auto& ids : track.tags) ids.push_back("tag" + std::to_string(random.below(6)));
    if (track.kind == Kind::sfx) track.category = static_cast<std::uint8_t>(random.below(kCategoryCount));
    track.license = static_cast<LicenseId>(random.below(10) == 0 ? random.below(kLicenseCount) : 5);
    track.credit_requested = random.below(3) == 0;
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

std::vector<Track> shuffled(std::vector<Track> tracks) {
  test::SeededRandom random(3);
  for (std::size_t i = tracks.size(); i > 1; --i) std::swap(tracks[i - 1], tracks[random.below(i)]);
  return tracks;
}

Lists lists_by_id(std::vector<Track> tracks, const NeighborOptions& options) {
  compute_neighbors(tracks, std::vector<bool>(tracks.size()), options);
  Lists lists;
  for (const auto& track : tracks) {
    auto& list = lists[track.id];
    for (const auto other : track.neighbors) list.push_back(tracks[other].id);
  }
  return lists;
}

Lists naive_lists(const std::vector<Track>& tracks) {
  Lists lists;
  for (const auto& track : tracks) lists[track.id];  // empty for what is taken down
  for (const auto& like : test::one_of_each_pool()) {
    const test::NaivePool pool(tracks, like);
    for (std::size_t index = 0; index < pool.members.size(); ++index) {
      auto& list = lists[tracks[pool.members[index]].id];
      for (const auto other : test::naive_neighbors(tracks, pool, index)) {
        list.push_back(tracks[pool.members[other]].id);
      }
    }
  }
  return lists;
}

/// Counts how often each track is read.
class CountedTracks final : public TrackReader {
 public:
  /// Track `broken` cannot be read.
  explicit CountedTracks(const std::vector<Track>& tracks, std::optional<std::uint32_t> broken = std::nullopt)
      : tracks_(tracks), broken_(broken), reads_(tracks.size()) {}

  std::uint32_t size() const override { return static_cast<std::uint32_t>(tracks_.size()); }
  Track read(std::uint32_t index) const override {
    if (index == broken_) throw Failure("the file is damaged");
    ++reads_[index];
    return tracks_[index];
  }
  std::uint32_t reads(std::uint32_t index) const { return reads_[index]; }

 private:
  const std::vector<Track>& tracks_;
  std::optional<std::uint32_t> broken_;
  mutable std::vector<std::atomic<std::uint32_t>> reads_;
};

Track tagged(const std::string& id, const std::string& artist, std::vector<std::string> genres) {
  Track track;
  track.id = id;
  track.artist = artist;
  track.duration_ms = 1000;
  track.tags[0] = std::move(genres);
  return track;
}

}  // namespace

TEST_CASE(
    "neighbors have the same kind, speech only speech, exclude the track and taken-down ones, and are at most 104" *
    doctest::test_suite("long")) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    auto tracks = random_tracks(seed, 400);
    compute_neighbors(tracks, std::vector<bool>(tracks.size()));
    check_rules(tracks, 104);
  }
}

TEST_CASE("the lists equal those of comparing all pairs, in any order of input and with any number of threads" *
          doctest::test_suite("long")) {
  for (const bool same_artist : {false, true}) {
    const auto tracks = random_tracks(7, 600, same_artist ? 1 : 40);
    const auto lists = naive_lists(tracks);
    CHECK(lists_by_id(tracks, {.threads = 1}) == lists);
    CHECK(lists_by_id(tracks, {.threads = 2}) == lists);
    CHECK(lists_by_id(shuffled(tracks), {.threads = 2}) == lists);
  }
}

/// The lists and terms of an earlier build in memory.
class EarlierInMemory final : public EarlierNeighbors {
 public:
  explicit EarlierInMemory(std::size_t count) : lists(count), reads_(count) {}
  EarlierInMemory(const std::vector<Track>& tracks, PoolDigests stated) : EarlierInMemory(tracks.size()) {
    digests = std::move(stated);
    for (std::size_t i = 0; i < tracks.size(); ++i) {
      lists[i] = tracks[i].neighbors;
      terms_.push_back(
          Traits::terms_of(license(tracks[i].license).commercial,
                           attribution(tracks[i].license, tracks[i].credit_requested) == Attribution::optional));
    }
  }

  PoolDigest digest(PoolId pool) const override { return digests[static_cast<std::size_t>(pool)]; }
  bool is_intact() const override { return intact; }
  void check_unchanged() const override {
    if (!unchanged) throw Failure("earlier: was changed while it was read");
  }
  std::uint32_t position(std::uint32_t index) const override { return index; }
  std::vector<std::uint32_t> list(std::uint32_t index) const override {
    ++reads_[index];
    if (!lists[index]) throw Failure("earlier: is damaged");
    return *lists[index];
  }
  std::vector<std::uint32_t> guess(std::uint32_t index) const override {
    return lists[index] ? list(index) : std::vector<std::uint32_t>();
  }
  std::optional<std::uint8_t> terms(std::uint32_t index) const override { return terms_[index]; }
  int reads(std::uint32_t index) const { return reads_[index]; }

  std::vector<std::optional<std::vector<std::uint32_t>>> lists;
  PoolDigests digests;
  bool intact = true;
  bool unchanged = true;

 private:
  std::vector<std::uint8_t> terms_;
  mutable std::vector<std::atomic<int>> reads_;
};

// BUILD-25
TEST_CASE("guesses change no list, whether they are right, partial or wrong" * doctest::test_suite("long")) {
  for (const bool same_artist : {false, true}) {
    const auto tracks = random_tracks(11, 600, same_artist ? 1 : 40);
    auto computed = tracks;
    compute_neighbors(computed, std::vector<bool>(tracks.size()));
    EarlierInMemory right(tracks.size());
    EarlierInMemory some(tracks.size());
    EarlierInMemory wrong(tracks.size());
    test::SeededRandom random(5);
    for (std::size_t i = 0; i < tracks.size(); ++i) {
      right.lists[i] = computed[i].neighbors;
      some.lists[i].emplace();
      for (const auto other : computed[i].neighbors) {
        if (random.below(10) != 0) some.lists[i]->push_back(other);
      }
      if (random.below(20) == 0) some.lists[i].reset();
      wrong.lists[i].emplace();
      for (int count = 0; count < 80; ++count) {
        wrong.lists[i]->push_back(static_cast<std::uint32_t>(random.below(tracks.size())));
      }
    }
    for (const auto* guesses : {&right, &some, &wrong}) {
      for (const std::uint32_t compared_count : {1'000U, 100U}) {
        auto guessed = tracks;
        compute_neighbors(guessed, std::vector<bool>(tracks.size()), {.compared_count = compared_count}, guesses);
        auto plain = tracks;
        compute_neighbors(plain, std::vector<bool>(tracks.size()), {.compared_count = compared_count});
        for (std::size_t i = 0; i < tracks.size(); ++i) CHECK(guessed[i].neighbors == plain[i].neighbors);
      }
    }
  }
}

/// Gives some of the tracks another license.
void relicense(std::vector<Track>& tracks, test::SeededRandom& random, std::uint64_t one_in) {
  for (auto& track : tracks) {
    if (random.below(one_in) != 0) continue;
    track.license = random.below(2) == 0 ? LicenseId::cc0 : static_cast<LicenseId>(random.below(kLicenseCount));
    track.credit_requested = random.below(4) == 0;
  }
}

// BUILD-25
TEST_CASE("lists of an earlier build with other licenses are updated to those that a search finds" *
          doctest::test_suite("long")) {
  test::SeededRandom random(21);
  std::size_t searched = 0;
  std::size_t updated = 0;
  for (std::uint64_t round = 0; round < 60; ++round) {
    const bool is_large = round % 12 == 5;  // more tracks gain terms than are compared at once
    auto tracks = random_tracks(100 + round, is_large ? 1'500 : 600, std::array{1U, 3U, 12U, 80U}[round % 4]);
    for (auto& track : tracks) {
      if (is_large) track.kind = Kind::music;
    }
    if (round % 3 == 0) relicense(tracks, random, 2);  // in half of the rounds most licenses are the same
    std::vector<bool> given(tracks.size());
    for (std::size_t i = 0; i < given.size(); i += 11) given[i] = round % 5 == 0;
    auto before = tracks;
    const EarlierInMemory earlier(before, compute_neighbors(before, given));
    relicense(tracks, random, is_large ? 12U : std::array{200U, 60U, 20U}[round / 3 % 3]);
    auto expected = tracks;
    const auto digests = compute_neighbors(expected, given);
    auto computed = tracks;
    CHECK(compute_neighbors(computed, given, {}, &earlier) == digests);
    for (std::uint32_t i = 0; i < tracks.size(); ++i) {
      CHECK(computed[i].neighbors == expected[i].neighbors);
      if (earlier.reads(i) == 2) ++searched;
      if (earlier.reads(i) == 1) ++updated;
    }
  }
  CHECK(searched != 0);
  CHECK(updated > 3 * searched);
}

// BUILD-25
TEST_CASE("lists that were computed from the same data are read and not computed") {
  for (const std::uint32_t compared_count : {1'000U, 100U}) {
    const NeighborOptions options{.compared_count = compared_count};
    const auto tracks = random_tracks(31, 300);
    auto before = tracks;
    EarlierInMemory earlier(before, compute_neighbors(before, std::vector<bool>(tracks.size()), options));
    std::reverse(earlier.lists[5]->begin(), earlier.lists[5]->end());
    auto computed = tracks;
    compute_neighbors(computed, std::vector<bool>(tracks.size()), options, &earlier);
    for (std::uint32_t i = 0; i < tracks.size(); ++i) {
      CHECK(computed[i].neighbors == earlier.lists[i]);
      CHECK(earlier.reads(i) == (tracks[i].taken_down ? 0 : 1));
    }

    earlier.intact = false;
    computed = tracks;
    compute_neighbors(computed, std::vector<bool>(tracks.size()), options, &earlier);
    for (std::uint32_t i = 0; i < tracks.size(); ++i) CHECK(computed[i].neighbors == before[i].neighbors);
  }
}

// BUILD-25
TEST_CASE("a build fails if the earlier snapshot changes while its lists are kept or updated") {
  for (const bool have_other_terms : {false, true}) {
    auto tracks = random_tracks(33, 300);
    const std::vector<bool> given(tracks.size());
    auto before = tracks;
    const auto digests = compute_neighbors(before, given);
    if (have_other_terms) {
      for (const auto kind : {Kind::music, Kind::sfx}) {
        std::find_if(tracks.begin(), tracks.end(), [&](const Track& it) {
          return it.kind == kind && !it.taken_down;
        })->license = LicenseId::cc_by_nc_4_0;
      }
      auto computed = tracks;
      const auto changed = compute_neighbors(computed, given);
      for (const auto pool : {PoolId::music, PoolId::effects}) {
        const auto at = static_cast<std::size_t>(pool);
        CHECK(changed[at].tracks == digests[at].tracks);
        CHECK(changed[at].terms != digests[at].terms);
      }
    }
    EarlierInMemory earlier(before, digests);
    earlier.unchanged = false;
    CHECK_THROWS_WITH_AS(compute_neighbors(tracks, given, {}, &earlier), "earlier: was changed while it was read",
                         Failure);
    for (auto& list : earlier.lists) list.reset();
    CHECK_THROWS_WITH_AS(compute_neighbors(tracks, given, {}, &earlier), "earlier: is damaged", Failure);
  }
}

TEST_CASE("approximate lists follow the rules and are reproducible" * doctest::test_suite("long")) {
  const auto tracks = random_tracks(8, 1'500, 40);
  const auto lists = lists_by_id(tracks, {.compared_count = 300, .threads = 1});
  CHECK(lists_by_id(tracks, {.compared_count = 300, .threads = 2}) == lists);
  CHECK(lists_by_id(shuffled(tracks), {.compared_count = 300, .threads = 2}) == lists);
  auto computed = tracks;
  compute_neighbors(computed, std::vector<bool>(computed.size()), {.compared_count = 300});
  check_rules(computed, 104);
}

TEST_CASE("approximate lists contain most similar tracks" * doctest::test_suite("long")) {
  auto tracks = random_tracks(8, 1'500, 1'000);
  // Thirty groups, each with its own words and tags.
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    auto& track = tracks[i];
    track.kind = Kind::music;
    track.category.reset();
    track.taken_down = false;
    const auto crowd = std::to_string(i % 30);
    track.title = "crowd" + crowd;
    for (auto& ids : track.tags) ids = {"tag" + crowd};
  }
  compute_neighbors(tracks, std::vector<bool>(tracks.size()), {.compared_count = 300});
  std::size_t alike = 0;
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    for (std::size_t rank = 0; rank < 20; ++rank) alike += tracks[i].neighbors[rank] % 30 == i % 30 ? 1U : 0U;
  }
  CHECK(alike >= tracks.size() * 20 * 95 / 100);
}

TEST_CASE("lists contain no unrelated tracks for variety" * doctest::test_suite("long")) {
  std::vector<Track> tracks;
  tracks.reserve(1'007);
  for (int i = 0; i < 1'000; ++i) {
    tracks.push_back(tagged("a-" + std::to_string(10'000 + i), i % 2 == 0 ? "Ann" : "ANN", {"jazz", "swing"}));
  }
  for (int i = 0; i < 7; ++i) {
    tracks.push_back(tagged("z-" + std::to_string(i), "Bob" + std::to_string(i), {"polka", "march"}));
  }
  for (const std::uint32_t compared_count : {300U, 5'000U}) {
    auto computed = tracks;
    compute_neighbors(computed, std::vector<bool>(computed.size()), {.compared_count = compared_count});
    const auto& list = computed[0].neighbors;
    CHECK(list.size() == 64);
    CHECK(std::all_of(list.begin(), list.end(), [](auto other) { return other < 1'000; }));
  }
}

TEST_CASE("tracks that share more are closer, and ids break ties") {
  std::vector<Track> tracks{tagged("a-0", "", {"jazz", "swing", "bop"}), tagged("a-4", "", {"jazz", "rock"}),
                            tagged("a-3", "", {"jazz", "rock"}),         tagged("a-2", "", {"jazz", "swing", "bop"}),
                            tagged("a-1", "", {"rock", "metal"}),        tagged("a-5", "", {"metal", "polka"})};
  compute_neighbors(tracks, std::vector<bool>(tracks.size()));
  REQUIRE(tracks[0].neighbors.size() >= 3);
  CHECK(tracks[0].neighbors[0] == 3);
  CHECK(tracks[0].neighbors[1] == 2);  // a-3 before a-4
  CHECK(tracks[0].neighbors[2] == 1);
}

// BUILD-4
TEST_CASE("an artist's further tracks rank after nearly equally similar tracks only") {
  std::vector<Track> tracks;
  tracks.reserve(92);
  const auto genres = [](int shared) {
    std::vector<std::string> ids;
    ids.reserve(20);
    for (int i = 0; i < 20; ++i) ids.push_back((i < shared ? "jazz" : "polka") + std::to_string(i));
    return ids;
  };
  for (int i = 0; i < 20; ++i) tracks.push_back(tagged("a-" + std::to_string(10 + i), "Ann", genres(20)));
  auto nearly = genres(20);
  nearly.pop_back();
  for (int i = 0; i < 6; ++i) tracks.push_back(tagged("b-" + std::to_string(i), "Bob" + std::to_string(i), nearly));
  for (int i = 0; i < 6; ++i) tracks.push_back(tagged("c-" + std::to_string(i), "Cid" + std::to_string(i), genres(9)));
  for (int i = 0; i < 60; ++i) tracks.push_back(tagged("d-" + std::to_string(i), "Dan", genres(0)));
  compute_neighbors(tracks, std::vector<bool>(tracks.size()));
  const auto& list = tracks[0].neighbors;
  REQUIRE(list.size() == 31);
  std::string initials;
  for (const auto other : list) initials += tracks[other].id.front();
  CHECK(initials.starts_with("a"));
  CHECK(initials.find('b') < 6);
  CHECK(initials.rfind('b') < 12);
  CHECK(initials.find('c') == 25);  // behind all of Ann's
}

// BUILD-4, SIMILAR-7
TEST_CASE("lists contain the nearest tracks, the nearest commercial ones and the nearest that need no credit") {
  std::vector<Track> tracks;
  const auto add = [&](char first, int count, const std::vector<std::string>& genres, LicenseId license,
                       bool requested = false) {
    for (int i = 0; i < count; ++i) {
      tracks.push_back(tagged(first + ("-" + std::to_string(100 + i)), first + std::to_string(i), genres));
      tracks.back().license = license;
      tracks.back().credit_requested = requested;
    }
  };
  const auto of = [](std::string_view id) {
    return static_cast<LicenseId>(
        std::find_if(kLicenses.begin(), kLicenses.end(), [&](const auto& it) { return it.name_id == id; }) -
        kLicenses.begin());
  };
  add('a', 100, {"jazz", "swing"}, of("cc-by-nc-4.0"));
  add('b', 30, {"jazz", "polka"}, of("cc-by-4.0"));
  add('c', 30, {"jazz", "march", "horn"}, of("cc0"));
  add('d', 5, {"jazz", "march"}, of("cc0"), true);
  add('e', 9, {"samba"}, of("cc0"));
  compute_neighbors(tracks, std::vector<bool>(tracks.size()));
  std::map<char, int> counts;
  std::string initials;
  for (const auto other : tracks[0].neighbors) initials += tracks[other].id.front();
  for (const char initial : initials) ++counts[initial];
  CHECK(counts['a'] == 64);
  CHECK(initials.substr(0, 64) == std::string(64, 'a'));
  CHECK(counts['b'] + counts['c'] + counts['d'] >= 20);
  CHECK(counts['b'] + counts['c'] + counts['d'] <= 40);
  CHECK(counts['c'] == 20);
  CHECK(counts['e'] == 0);
}

TEST_CASE("a track with nothing in common is not a neighbor, and a list may be short or empty") {
  std::vector<Track> tracks{tagged("a-0", "", {"jazz"}), tagged("a-1", "", {"jazz", "rock"}),
                            tagged("a-2", "", {"rock"}), tagged("a-3", "", {"polka"}), tagged("a-4", "", {})};
  tracks[0].title = "The Song of Rain";
  tracks[3].title = "Music for the Night";
  for (auto& track : tracks) track.loop = true;
  compute_neighbors(tracks, std::vector<bool>(tracks.size()));
  CHECK(tracks[0].neighbors == std::vector<std::uint32_t>{1});
  CHECK(tracks[2].neighbors == std::vector<std::uint32_t>{1});
  CHECK(tracks[3].neighbors.empty());
  CHECK(tracks[4].neighbors.empty());
}

// BUILD-4
TEST_CASE("rain is near rain and not near explosions, and gravel not near a step of half a second") {
  std::vector<Track> tracks;
  const auto add = [&](const std::string& title, const char* category, std::uint64_t duration_ms,
                       std::vector<std::string> tags = {}) {
    Track& track = tracks.emplace_back();
    track.id = "a-" + std::to_string(tracks.size());
    track.kind = Kind::sfx;
    track.title = title;
    track.category = find_category(category);
    track.duration_ms = duration_ms;
    track.tags[static_cast<std::size_t>(Facet::sfx)] = std::move(tags);
    return static_cast<std::uint32_t>(tracks.size() - 1);
  };
  const auto rain = add("Rain", "fx-n", 60'000);
  const auto raining = add("city_raining01.wav", "ss-u", 90'000);
  const auto tagged = add("Roof", "fx-n", 50'000, {"rain"});
  const auto explosion = add("Explosion", "fx-n", 60'000);
  const auto explosion_2 = add("explosion 2", "fx-n", 2'000);
  const auto gravel = add("Walking on gravel", "fx-h", 120'000);
  const auto gravel_step = add("gravel walk 1", "fx-h", 500);
  const auto gravel_path = add("path of gravel, a walk", "fx-h", 100'000);
  add("path", "fx-o", 4'000);
  add("city", "ss-u", 4'000);
  add("roof", "fx-o", 4'000);
  compute_neighbors(tracks, std::vector<bool>(tracks.size()));
  const auto has = [&](std::uint32_t track, std::uint32_t other) {
    const auto& list = tracks[track].neighbors;
    return std::find(list.begin(), list.end(), other) != list.end();
  };
  CHECK(has(rain, raining));
  CHECK(has(rain, tagged));
  CHECK_FALSE(has(rain, explosion));
  CHECK(tracks[explosion].neighbors == std::vector<std::uint32_t>{explosion_2});
  REQUIRE(tracks[gravel].neighbors.size() == 2);
  CHECK(tracks[gravel].neighbors[0] == gravel_path);
  CHECK(tracks[gravel].neighbors[1] == gravel_step);
}

TEST_CASE("each track is read once, and a list is stored once for each track that has none and is not taken down") {
  const auto tracks = random_tracks(9, 3'000, 40);
  std::vector<bool> given(tracks.size());
  for (std::size_t i = 0; i < given.size(); i += 7) given[i] = true;
  auto expected = tracks;
  compute_neighbors(expected, given);
  const CountedTracks counted(tracks);
  std::vector<std::uint32_t> stored(tracks.size());
  native::Progress silent;
  native::OpensslHashing hashing;
  compute_neighbors(counted, given, nullptr, {.threads = 2}, hashing, silent,
                    [&](std::uint32_t index, std::span<const std::uint32_t> neighbors) {
                      ++stored[index];
                      CHECK(std::ranges::equal(neighbors, expected[index].neighbors));
                    });
  for (std::uint32_t i = 0; i < tracks.size(); ++i) {
    CHECK(counted.reads(i) == 1);
    CHECK(stored[i] == (given[i] || tracks[i].taken_down ? 0 : 1));
  }
}

TEST_CASE("a failure to read a track or to store a list ends the computation") {
  const auto tracks = random_tracks(9, 3'000);
  const std::vector<bool> given(tracks.size());
  native::Progress silent;
  native::OpensslHashing hashing;
  std::size_t stored = 0;
  const auto store = [&](std::uint32_t, std::span<const std::uint32_t>) {
    if (++stored == 100) throw Failure("the disk is full");
  };
  CHECK_THROWS_AS(compute_neighbors(TracksInMemory(tracks), given, nullptr, {.threads = 2}, hashing, silent, store),
                  Failure);
  CHECK(stored < tracks.size() / 2);
  stored = 0;
  CHECK_THROWS_AS(
      compute_neighbors(CountedTracks(tracks, 2'000), given, nullptr, {.threads = 2}, hashing, silent, store), Failure);
  CHECK(stored == 0);
}

TEST_CASE("music, effects and speech are separate pools, and a track that is taken down is in none") {
  auto tracks = test::one_of_each_pool();
  CHECK(pool_of(tracks[0]) == PoolId::music);
  CHECK(pool_of(tracks[1]) == PoolId::effects);
  CHECK(pool_of(tracks[2]) == PoolId::speech);
  tracks[0].taken_down = true;
  CHECK_FALSE(pool_of(tracks[0]));
}

TEST_CASE("a given list is not changed") {
  auto tracks = random_tracks(9, 50);
  std::vector<bool> given(tracks.size());
  given[3] = true;
  compute_neighbors(tracks, given);
  CHECK(tracks[3].neighbors.empty());
}

TEST_CASE("given neighbors that are unknown, of another kind, the track itself or taken down are dropped") {
  Report report;
  report.begin_input("lines");
  Intake intake({}, {}, test::folder_of_temporary_files(), report);
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
    intake.add(1, std::move(line));
  };
  take("a-1", "sfx", {}, std::vector<std::string>{"a-9", "a-1", "a-2", "a-3", "a-4", "a-5", "a-3"});
  take("a-2", "music", {}, {});
  take("a-3", "sfx", {}, std::vector<std::string>{});
  take("a-4", "sfx", "sp-s", std::vector<std::string>{"a-3"});
  take("a-5", "sfx", {}, {}, true);
  take("a-3", "sfx", {}, {});
  const auto collected = intake.finish();
  REQUIRE(collected.tracks.size() == 5);
  CHECK(collected.tracks.read(0).neighbors == std::vector<std::uint32_t>{2});
  CHECK(collected.has_given_neighbors == std::vector<bool>{true, false, true, true, false});
  CHECK(report.neighbors_given == 2);
  CHECK(report.neighbors_dropped == 6);
  CHECK(report.count(Reason::duplicate_id) == 1);
}

}  // namespace tonearm::builder
