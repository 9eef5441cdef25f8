#include "similar/track_features.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "similar/neighbors_vectors.h"

namespace tonearm::builder {
namespace {

Track titled(const std::string& title) {
  Track track;
  track.title = title;
  return track;
}

Track effect(const std::string& title) {
  Track track = titled(title);
  track.kind = Kind::sfx;
  return track;
}

std::vector<NamedFeature> features_of(const Track& track) {
  const WordTable words;
  return FeatureReader(words).features_of(track);
}

/// Returns the number of features that make both tracks similar.
std::size_t shared_distinctive(const Track& a, const Track& b, const Thesaurus& thesaurus = {}) {
  const WordTable words(thesaurus);
  FeatureReader reader(words);
  const auto of_a = reader.features_of(a);
  const auto of_b = reader.features_of(b);
  return static_cast<std::size_t>(std::count_if(of_a.begin(), of_a.end(), [&](const NamedFeature& it) {
    return it.signal == Signal::distinctive &&
           std::any_of(of_b.begin(), of_b.end(), [&](const NamedFeature& other) { return other.name == it.name; });
  }));
}

std::size_t shared(const Track& a, const Track& b) {
  std::vector<std::uint64_t> names;
  for (const auto& feature : features_of(a)) names.push_back(feature.name);
  const auto others = features_of(b);
  return static_cast<std::size_t>(std::count_if(others.begin(), others.end(), [&](const NamedFeature& feature) {
    return std::find(names.begin(), names.end(), feature.name) != names.end();
  }));
}

}  // namespace

TEST_CASE("the logarithm of integers is rounded down") {
  CHECK(log2_sixteenths(1) == 0);
  CHECK(log2_sixteenths(2) == 16);
  CHECK(log2_sixteenths(3) == 25);  // 1.58496 * 16 = 25.36
  CHECK(log2_sixteenths(1000) == 159);
  CHECK(log2_sixteenths(1ULL << 40U) == 640);
}

TEST_CASE("the square root is rounded down") {
  CHECK(integer_sqrt(0) == 0);
  CHECK(integer_sqrt(15) == 3);
  CHECK(integer_sqrt(16) == 4);
  CHECK(integer_sqrt(~0ULL) == 0xFFFFFFFF);
}

TEST_CASE("words of three bytes or more are features, once each and case-folded") {
  CHECK(features_of(titled("Slow slow RIVER, at an old mill")).size() == 4);
  CHECK(shared(titled("Café River"), titled("the RIVER café")) == 2);
  CHECK(features_of(titled("")).empty());
  CHECK(features_of(titled(std::string(1'000, 'a') + " b c")).size() == 1);
}

// BUILD-4
TEST_CASE("a broad category of effects makes nothing similar, and a family of instruments does") {
  const auto of_category = [](std::string_view id) {
    Track track = effect("");
    track.category = find_category(id);
    return track;
  };
  CHECK(shared_distinctive(of_category("fx-n"), of_category("fx-n")) == 0);
  CHECK(shared_distinctive(of_category("sp-s"), of_category("sp-s")) == 0);
  CHECK(shared_distinctive(of_category("is-w"), of_category("is-w")) == 1);
  CHECK(shared_distinctive(of_category("is-w"), of_category("is-s")) == 0);
  Track music = of_category("m-si");
  music.kind = Kind::music;
  CHECK(shared_distinctive(music, music) == 2);
}

// BUILD-4
TEST_CASE("words of a name of a file are words, and its numbers and formats are not") {
  CHECK(shared_distinctive(effect("rain01"), effect("heavyRain_2.wav")) == 1);
  CHECK(shared_distinctive(effect("door 2014 stereo.wav"), effect("bell 2014 stereo.wav")) == 0);
  CHECK(shared_distinctive(effect("dogs barking"), effect("dog barks")) == 2);
  Track tidied = effect("xyz");
  tidied.matching_title = "rain";
  CHECK(shared_distinctive(tidied, effect("rain")) == 1);
  CHECK(shared_distinctive(tidied, effect("xyz")) == 0);
}

// BUILD-4
TEST_CASE("the tag of one effect is the word of another, and so are tags that fit no facet") {
  Track tagged = effect("");
  tagged.tags[static_cast<std::size_t>(Facet::sfx)] = {"rain-storm"};
  Track worded = effect("");
  worded.matching_words = {"storm"};
  CHECK(shared_distinctive(tagged, effect("Rain")) == 1);
  CHECK(shared_distinctive(worded, effect("storm")) == 1);
  CHECK(shared_distinctive(tagged, worded) == 1);
}

// BUILD-4
TEST_CASE("words of effects that the thesaurus relates are shared, and those of music are not") {
  const Thesaurus thesaurus{{{"sea", "ocean"}},
                            {{"rain", "drizzle", Relation::narrower, 100}, {"gun", "reload", Relation::related, 50}}};
  CHECK(shared_distinctive(effect("ocean"), effect("sea"), thesaurus) == 1);
  CHECK(shared_distinctive(effect("drizzle"), effect("rain"), thesaurus) == 1);
  CHECK(shared_distinctive(effect("reload"), effect("gun"), thesaurus) == 0);
  CHECK(shared_distinctive(titled("ocean"), titled("sea"), thesaurus) == 0);
}

TEST_CASE("the length of an effect is 16 times the logarithm of its milliseconds, and 0 if it is unknown") {
  Track track = effect("rain");
  CHECK(length_of(track) == 0);
  track.duration_ms = 1'000;
  CHECK(length_of(track) == 159);
  track.kind = Kind::music;
  CHECK(length_of(track) == 0);
}

TEST_CASE("close tempi share a band, and distant ones do not") {
  Track slow;
  Track near;
  Track far;
  slow.bpm_hundredths = 9'000;
  near.bpm_hundredths = 9'300;
  far.bpm_hundredths = 12'000;
  CHECK(shared(slow, near) >= 1);
  CHECK(shared(slow, far) == 0);
}

TEST_CASE("features of one track are omitted, and rarer features weigh more") {
  const std::vector<Track> tracks{titled("river mill lonely"), titled("river mill"), titled("river"), titled("river")};
  const FeatureRows rows(tracks, std::vector<std::uint32_t>{0, 1, 2, 3}, WordTable(), 1);
  REQUIRE(rows.size() == 4);
  REQUIRE(rows.names().size() == 2);
  REQUIRE(rows.row(0).size() == 2);
  const auto [a, b] = std::pair(rows.row(0)[0], rows.row(0)[1]);
  CHECK((rows.counts()[a.feature] < rows.counts()[b.feature]) == (a.weight > b.weight));
}

TEST_CASE("vectors have the same length except for rounding, and equal features give equal vectors") {
  std::vector<Track> tracks;
  tracks.reserve(51);
  for (int i = 0; i < 50; ++i) tracks.push_back(titled("river " + std::string(3, static_cast<char>('a' + i % 7))));
  tracks.push_back(titled(""));
  std::vector<std::uint32_t> members(tracks.size());
  std::iota(members.begin(), members.end(), 0U);
  const auto vectors = vectors_of(FeatureRows(tracks, members, WordTable(), 1), 1);
  CHECK(vectors == vectors_of(FeatureRows(tracks, members, WordTable(), 2), 2));
  for (std::size_t i = 0; i < 50; ++i) {
    CHECK(half_square(vectors[i]) > 127 * 127 / 2 - 500);
    CHECK(half_square(vectors[i]) < 127 * 127 / 2 + 500);
    CHECK(vectors[i] == vectors[i % 7]);
  }
  CHECK(half_square(vectors.back()) == 0);
}

}  // namespace tonearm::builder
