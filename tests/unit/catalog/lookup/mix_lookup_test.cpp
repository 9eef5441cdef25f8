#include "catalog/lookup/mix_lookup.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <tuple>

#include "fakes.h"
#include "memory_catalog.h"

using namespace tonearm;
using namespace tonearm::test;
using catalog::ChosenPart;
using catalog::HeardPart;

namespace {

using Values = std::vector<std::uint32_t>;

constexpr std::uint32_t kMixTracks = 200;
constexpr std::size_t kValues = 1'450;  // three minutes

/// Values that change like those of music: a few bits at each step.
Values melody(SeededRandom& random, std::size_t count) {
  auto value = static_cast<std::uint32_t>(random.below(std::uint64_t{1} << 32U));
  Values values;
  values.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    for (int change = 0; change < 4; ++change) value ^= std::uint32_t{1} << random.below(32);
    values.push_back(value);
  }
  return values;
}

/// The last two are one recording; `m-0` was taken down.
std::vector<Track> mixed_tracks() {
  SeededRandom random(29);
  std::vector<Track> tracks(kMixTracks);
  for (std::uint32_t i = 0; i < kMixTracks; ++i) {
    Track& track = tracks[i];
    track.id = "m-" + std::to_string(i);
    track.title = "Melody " + std::to_string(i);
    track.duration_ms = 180'000;
    track.source = "example.org";
    track.taken_down = i == 0;
    TrackAudio audio;
    audio.fingerprint = melody(random, kValues);
    track.audio = std::make_shared<const TrackAudio>(std::move(audio));
  }
  tracks[kMixTracks - 1].audio = tracks[kMixTracks - 2].audio;
  return tracks;
}

/// A piece of a film: speech (values of no track), and parts of tracks with this many percent of wrong bits.
class Film {
 public:
  Film(std::size_t count, std::uint64_t seed) : random_(seed), values_(melody(random_, count)) {}

  Film& add(const Track& track, std::size_t from, std::size_t count, std::size_t at, unsigned wrong_percent) {
    for (std::size_t i = 0; i < count; ++i) {
      std::uint32_t value = track.audio->fingerprint[from + i];
      for (unsigned bit = 0; bit < 32; ++bit) {
        if (random_.below(100) < wrong_percent) value ^= std::uint32_t{1} << bit;
      }
      values_[at + i] = value;
    }
    return *this;
  }
  const Values& values() const { return values_; }

 private:
  SeededRandom random_;
  Values values_;
};

struct Use {
  std::string id;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  Hearing hearing = Hearing::clear;
};

std::vector<Use> uses_in(const Catalog& catalog, const Values& piece) {
  std::vector<Use> uses;
  const auto pieces = catalog.look_up_mixes(std::vector<Values>{piece});
  for (const HeardTrack& heard : pieces.front()) {
    const auto& track = heard.found.track;
    uses.push_back({std::string(track.json.substr(track.offsets[0] + 1, track.offsets[1] - track.offsets[0] - 2)),
                    heard.begin, heard.end, heard.hearing});
  }
  return uses;
}

bool is_about(std::uint32_t value, std::size_t expected) {
  constexpr std::size_t kSlack = 12;  // one and a half seconds
  return value + kSlack >= expected && value <= expected + kSlack;
}

HeardPart part_of(std::uint32_t position, std::uint32_t begin, std::uint32_t end, std::int64_t gain) {
  return {position, begin, end, gain};
}

std::vector<std::tuple<std::uint32_t, Hearing>> chosen(std::vector<HeardPart> parts) {
  std::vector<std::tuple<std::uint32_t, Hearing>> all;
  for (const ChosenPart& one : choose_parts(std::move(parts), {9'500, 6'200})) {
    all.emplace_back(one.part.position, one.hearing);
  }
  return all;
}

using Chosen = std::vector<std::tuple<std::uint32_t, Hearing>>;

}  // namespace

TEST_CASE("CREDIT-30: a track is found in the middle of a film, with its times, also with wrong bits") {
  const auto tracks = mixed_tracks();
  const auto catalog = make_memory_catalog(tracks);
  for (const std::size_t number : {1U, 77U, 150U}) {
    for (const std::size_t from : {0U, 1U, 2U, 3U, 700U}) {
      for (const unsigned wrong : {0U, 10U, 22U}) {
        const Film film = Film(800, from + wrong).add(tracks[number], from, 120, 300, wrong);
        const auto uses = uses_in(*catalog, film.values());
        INFO(number << " from " << from << ", wrong " << wrong);
        REQUIRE(uses.size() == 1);
        CHECK(uses[0].id == tracks[number].id);
        CHECK(is_about(uses[0].begin, 300));
        CHECK(is_about(uses[0].end, 420));
        CHECK(uses[0].hearing == Hearing::clear);
      }
    }
  }
}

TEST_CASE("CREDIT-30: several tracks in one piece are found in order, and one track at two times twice") {
  const auto tracks = mixed_tracks();
  const auto catalog = make_memory_catalog(tracks);
  Film film(1'000, 3);
  film.add(tracks[5], 100, 150, 20, 15).add(tracks[9], 800, 150, 400, 15).add(tracks[5], 700, 150, 800, 15);
  const auto uses = uses_in(*catalog, film.values());
  REQUIRE(uses.size() == 3);
  CHECK(uses[0].id == "m-5");
  CHECK(uses[1].id == "m-9");
  CHECK(uses[2].id == "m-5");
  CHECK(is_about(uses[2].begin, 800));
}

TEST_CASE("CREDIT-30: a film without a track of the catalog finds none") {
  const auto tracks = mixed_tracks();
  const auto catalog = make_memory_catalog(tracks);
  for (std::uint64_t seed = 100; seed < 160; ++seed) CHECK(uses_in(*catalog, Film(948, seed).values()).empty());
  for (const Values& flat : {Values(), Values{7}, Values(1'024, 0), Values(1'024, ~0U)}) {
    CHECK(uses_in(*catalog, flat).empty());
  }
  // Half of the bits wrong: nothing is left of the track. Two seconds of it: too little.
  CHECK(uses_in(*catalog, Film(800, 1).add(tracks[3], 100, 200, 300, 50).values()).empty());
  CHECK(uses_in(*catalog, Film(800, 1).add(tracks[3], 100, 8, 300, 0).values()).empty());
}

TEST_CASE("CREDIT-30: the same music at another speed is another recording") {
  const auto tracks = mixed_tracks();
  const auto catalog = make_memory_catalog(tracks);
  for (const double speed : {0.91, 0.94, 1.05, 1.06, 1.08}) {
    Values piece = Film(600, 8).values();
    for (std::size_t i = 0; i < 300; ++i) {
      piece[150 + i] = tracks[7].audio->fingerprint[400 + static_cast<std::size_t>(static_cast<double>(i) * speed)];
    }
    INFO(speed);
    CHECK(uses_in(*catalog, piece).empty());
  }
}

TEST_CASE("CREDIT-30: tracks that were taken down are not heard") {
  const auto tracks = mixed_tracks();
  const auto catalog = make_memory_catalog(tracks);
  CHECK(uses_in(*catalog, Film(800, 4).add(tracks[0], 100, 200, 300, 5).values()).empty());
  const Film film = Film(800, 4).add(tracks[6], 100, 200, 300, 5);
  CHECK(uses_in(*catalog, film.values()).size() == 1);
  const std::vector<std::string> ids{"m-6"};
  CHECK(uses_in(*catalog->without(ids), film.values()).empty());
}

TEST_CASE("CREDIT-31: one recording in two tracks is ambiguous") {
  const auto tracks = mixed_tracks();
  const auto catalog = make_memory_catalog(tracks);
  const auto uses = uses_in(*catalog, Film(800, 4).add(tracks[kMixTracks - 1], 100, 200, 300, 5).values());
  REQUIRE(uses.size() == 2);
  CHECK(std::set<std::string>{uses[0].id, uses[1].id} == std::set<std::string>{"m-198", "m-199"});
  CHECK(uses[0].hearing == Hearing::ambiguous);
  CHECK(uses[1].hearing == Hearing::ambiguous);
}

TEST_CASE("CREDIT-31: a faint part counts only if no other track comes near it") {
  CHECK(chosen({part_of(1, 0, 80, 9'500)}) == Chosen{{1, Hearing::clear}});
  CHECK(chosen({part_of(1, 0, 80, 9'499)}) == Chosen{{1, Hearing::faint}});
  CHECK(chosen({part_of(1, 0, 80, 6'199)}).empty());
  CHECK(chosen({part_of(1, 0, 80, 6'300), part_of(2, 70, 120, 4'200)}) == Chosen{{1, Hearing::faint}});
  CHECK(chosen({part_of(1, 0, 80, 6'300), part_of(2, 70, 120, 4'201)}).empty());
  CHECK(chosen({part_of(1, 0, 80, 6'300), part_of(2, 80, 120, 6'300)}).size() == 2);
  CHECK(chosen({part_of(1, 0, 80, 6'300), part_of(1, 10, 90, 6'200)}) == Chosen{{1, Hearing::faint}});
  CHECK(chosen({part_of(2, 0, 80, 9'600), part_of(1, 0, 80, 9'600), part_of(1, 2, 82, 9'600)}) ==
        Chosen{{1, Hearing::ambiguous}, {2, Hearing::ambiguous}});
}

TEST_CASE("CREDIT-31: a weaker track within a stronger one is dropped, and kept beside a short one") {
  CHECK(chosen({part_of(1, 0, 200, 40'000), part_of(2, 50, 150, 12'000)}) == Chosen{{1, Hearing::clear}});
  // A loud sting over long quiet music.
  CHECK(chosen({part_of(1, 90, 130, 20'000), part_of(2, 0, 300, 12'000)}).size() == 2);
  // A cross-fade.
  CHECK(chosen({part_of(1, 0, 200, 40'000), part_of(2, 180, 400, 30'000)}).size() == 2);
  CHECK(chosen({part_of(1, 0, 200, 40'000), part_of(2, 5, 200, 36'800)}) ==
        Chosen{{1, Hearing::ambiguous}, {2, Hearing::ambiguous}});
}

TEST_CASE("the needed gain grows with the catalog") {
  CHECK(catalog::gain_limits(8).clear == catalog::gain_limits(9).clear);
  CHECK(catalog::gain_limits(20).clear > catalog::gain_limits(19).clear);
  CHECK(catalog::gain_limits(20).faint < catalog::gain_limits(20).clear);
}
