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

TEST_CASE("words of three letters or more are features, once each and case-folded") {
  CHECK(features_of(titled("Slow slow RIVER, at an old mill")).size() == 4);
  CHECK(shared(titled("Café River"), titled("the RIVER café")) == 2);
  CHECK(features_of(titled("")).empty());
  CHECK(features_of(titled(std::string(1'000, 'a') + " b c")).size() == 1);
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
  const FeatureRows rows(tracks, std::vector<std::uint32_t>{0, 1, 2, 3}, 1);
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
  const auto vectors = vectors_of(FeatureRows(tracks, members, 1), 1);
  CHECK(vectors == vectors_of(FeatureRows(tracks, members, 2), 2));
  for (std::size_t i = 0; i < 50; ++i) {
    CHECK(half_square(vectors[i]) > 127 * 127 / 2 - 500);
    CHECK(half_square(vectors[i]) < 127 * 127 / 2 + 500);
    CHECK(vectors[i] == vectors[i % 7]);
  }
  CHECK(half_square(vectors.back()) == 0);
}

}  // namespace tonearm::builder
