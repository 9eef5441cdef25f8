#include "similar/track_features.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "rows_of.h"

namespace tonearm::builder {
namespace {

Track effect(const std::string& title) {
  Track track = test::titled(title);
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
  CHECK(features_of(test::titled("Slow slow RIVER, at an old mill")).size() == 4);
  CHECK(shared(test::titled("Café River"), test::titled("the RIVER café")) == 2);
  CHECK(features_of(test::titled("")).empty());
  CHECK(features_of(test::titled(std::string(1'000, 'a') + " b c")).size() == 1);
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
  CHECK(shared_distinctive(test::titled("ocean"), test::titled("sea"), thesaurus) == 0);
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

}  // namespace tonearm::builder
