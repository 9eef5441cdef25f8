#include "catalog/lookup/mix_lookup.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fakes.h"
#include "melody.h"
#include "memory_catalog.h"

using namespace tonearm;
using namespace tonearm::test;
using catalog::ChosenPart;
using catalog::HeardPart;

namespace {

using Values = std::vector<std::uint32_t>;

constexpr std::uint32_t kMixTracks = 200;
constexpr std::size_t kValues = 1'450;  // three minutes

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
  bool begins_track = false;
  bool ends_track = false;
  bool is_ambiguous = false;
};

std::vector<Use> uses_in(const Catalog& catalog, const Values& piece) {
  std::vector<Use> uses;
  const auto pieces = catalog.look_up_mixes(std::vector<Values>{piece});
  for (const HeardTrack& heard : pieces.front()) {
    uses.push_back(
        {id_of(heard.found.track), heard.begin, heard.end, heard.begins_track, heard.ends_track, heard.is_ambiguous});
  }
  return uses;
}

bool is_about(std::uint32_t value, std::size_t expected) {
  constexpr std::size_t kSlack = 12;  // one and a half seconds
  return value + kSlack >= expected && value <= expected + kSlack;
}

HeardPart part_of(std::uint32_t position, std::uint32_t begin, std::uint32_t end, std::int64_t gain) {
  return {.position = position, .begin = begin, .end = end, .gain = gain};
}

/// The positions of the chosen parts, and whether they are ambiguous.
using Chosen = std::vector<std::pair<std::uint32_t, bool>>;

Chosen chosen(std::vector<HeardPart> parts) {
  Chosen all;
  for (const ChosenPart& one : choose_parts(std::move(parts), 10'000)) {
    all.emplace_back(one.part.position, one.is_ambiguous);
  }
  return all;
}

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
        CHECK_FALSE(uses[0].is_ambiguous);
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

TEST_CASE("CREDIT-30: the first values of any track are found, and no piece makes the lookup fail") {
  auto tracks = mixed_tracks();
  tracks.resize(5);
  tracks[0].taken_down = false;
  const auto catalog = make_memory_catalog(tracks);
  for (const Track& track : tracks) {
    for (const std::size_t at : {0U, 1U, 2U, 3U, 250U}) {
      const auto uses = uses_in(*catalog, Film(600, at).add(track, 0, 120, at, 10).values());
      INFO(track.id << " at " << at);
      REQUIRE(uses.size() == 1);
      CHECK(uses[0].id == track.id);
      CHECK(uses[0].begins_track);
      CHECK_FALSE(uses[0].ends_track);
      const auto ends = uses_in(*catalog, Film(600, at).add(track, kValues - 120, 120, at, 10).values());
      REQUIRE(ends.size() == 1);
      CHECK(ends[0].ends_track);
    }
  }
  for (std::uint64_t seed = 100; seed < 200; ++seed) CHECK(uses_in(*catalog, Film(700, seed).values()).empty());
}

TEST_CASE("CREDIT-30: other sound divides a use, and a track that is repeated is found each time") {
  const auto tracks = mixed_tracks();
  const auto catalog = make_memory_catalog(tracks);
  // Ten seconds of other sound, in which the track continues unheard.
  const auto two =
      uses_in(*catalog, Film(800, 2).add(tracks[8], 100, 60, 200, 5).add(tracks[8], 240, 60, 340, 5).values());
  REQUIRE(two.size() == 2);
  CHECK(is_about(two[0].end, 260));
  CHECK(is_about(two[1].begin, 340));
  Film film(1'000, 9);
  for (std::size_t i = 0; i < 12; ++i) film.add(tracks[8], 500, 48, 20 + 80 * i, 5);
  CHECK(uses_in(*catalog, film.values()).size() == 12);
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

TEST_CASE("CREDIT-30: silence and steady tones prove nothing") {
  auto tracks = mixed_tracks();
  const auto steady = [&](std::size_t every) {
    TrackAudio audio;
    audio.fingerprint.reserve(kValues);
    std::uint32_t value = 627'964'279;
    for (std::size_t i = 0; i < kValues; ++i) {
      if (i % every == 0) value ^= std::uint32_t{1} << i / every % 32;
      audio.fingerprint.push_back(value);
    }
    return std::make_shared<const TrackAudio>(std::move(audio));
  };
  tracks[5].audio = steady(6);
  // Ten seconds of music, and then silence.
  TrackAudio ended = *tracks[7].audio;
  std::fill(ended.fingerprint.begin() + 80, ended.fingerprint.end(), 627'964'279U);
  tracks[7].audio = std::make_shared<const TrackAudio>(std::move(ended));
  tracks[6].audio = steady(1);  // changes as little as music can
  const auto catalog = make_memory_catalog(tracks);
  CHECK(uses_in(*catalog, Film(800, 3).add(tracks[5], 300, 120, 300, 0).values()).empty());
  CHECK(uses_in(*catalog, Film(800, 3).add(tracks[6], 300, 120, 300, 0).values()).size() == 1);
  CHECK(uses_in(*catalog, Film(800, 3).add(tracks[7], 0, 300, 300, 0).values()).size() == 1);
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
  CHECK(uses[0].is_ambiguous);
  CHECK(uses[1].is_ambiguous);
}

TEST_CASE("CREDIT-30: a part needs the required gain") {
  CHECK(chosen({part_of(1, 0, 80, 10'000)}) == Chosen{{1, false}});
  CHECK(chosen({part_of(1, 0, 80, 9'999)}).empty());
  CHECK(catalog::required_gain(8) == catalog::required_gain(9));
  CHECK(catalog::required_gain(20) > catalog::required_gain(19));
}

TEST_CASE("CREDIT-31: a weaker track within a stronger one is omitted, and kept beside a short one") {
  CHECK(chosen({part_of(1, 0, 200, 40'000), part_of(2, 50, 150, 12'000)}) == Chosen{{1, false}});
  CHECK(chosen({part_of(1, 0, 80, 12'000), part_of(1, 10, 90, 11'900)}) == Chosen{{1, false}});
  // A loud sting over long quiet music.
  CHECK(chosen({part_of(1, 90, 130, 20'000), part_of(2, 0, 300, 12'000)}) == Chosen{{2, false}, {1, false}});
  // A cross-fade.
  CHECK(chosen({part_of(1, 0, 200, 40'000), part_of(2, 180, 400, 30'000)}) == Chosen{{1, false}, {2, false}});
}

TEST_CASE("CREDIT-31: tracks that fit equally well are ambiguous") {
  CHECK(chosen({part_of(1, 0, 200, 40'000), part_of(2, 5, 200, 36'800)}) == Chosen{{1, true}, {2, true}});
  CHECK(chosen({part_of(1, 0, 200, 40'000), part_of(2, 5, 200, 36'799)}) == Chosen{{1, false}});
  CHECK(chosen({part_of(2, 0, 80, 12'000), part_of(1, 0, 80, 12'000), part_of(1, 2, 82, 12'000)}) ==
        Chosen{{1, true}, {2, true}});
}
