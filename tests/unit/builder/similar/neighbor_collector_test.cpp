#include "similar/neighbor_collector.h"

#include <doctest/doctest.h>

#include <map>

#include "fakes.h"

namespace tonearm::builder {

TEST_CASE("closer tracks come first, and indices break ties") {
  CHECK(Closeness(3, 7) > Closeness(2, 1));
  CHECK(Closeness(3, 1) > Closeness(3, 7));
  CHECK(Closeness(-1, 1) < Closeness(0, 7));
  CHECK(Closeness(INT16_MIN, 7).value() == INT16_MIN);
  CHECK(Closeness(-5, 7).value() == -5);
  CHECK(Closeness(-5, 7).index() == 7);
}

TEST_CASE("each closer track of the artist costs a 32nd of the similarity, at most four") {
  CHECK(score(kUnrelated, 0) == 1);
  CHECK(score(kMinCloseness + 1, 4) == 1);
  CHECK(score(kUnrelated + 3'200, 0) == 3'200);
  CHECK(score(kUnrelated + 3'200, 1) == 3'100);
  CHECK(score(kUnrelated + 3'200, 4) == 2'800);
  CHECK(score(kUnrelated + 3'200, 400) == 2'800);
}

// BUILD-4
TEST_CASE("each doubling of an effect's length beyond four times costs an eighth of the similarity, at most half") {
  const auto of_length = [](std::uint16_t length) { return Traits{Traits::kNoArtist, 0, length}; };
  const auto closeness = static_cast<std::int16_t>(kUnrelated + 3'200);
  const auto similarity = [&](std::uint16_t a, std::uint16_t b) {
    return less_by_length(closeness, of_length(a), of_length(b)) - kUnrelated;
  };
  CHECK(similarity(160, 160) == 3'200);
  CHECK(similarity(160, 192) == 3'200);
  CHECK(similarity(160, 208) == 2'800);
  CHECK(similarity(208, 160) == 2'800);
  CHECK(similarity(160, 256) == 1'600);
  CHECK(similarity(160, 300) == 1'600);
  CHECK(similarity(0, 300) == 3'200);
  CHECK(less_by_length(kMinOffered, of_length(160), of_length(300)) == kMinOffered);
}

TEST_CASE("the order of candidates changes nothing, and rejected candidates are not in the result") {
  test::SeededRandom random(1);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::pair<Closeness, Traits>> offers;
    for (std::uint32_t index = 0; index < 600; ++index) {
      const auto value =
          static_cast<std::int16_t>(kUnrelated - 50 + static_cast<int>(random.below(round < 25 ? 100 : 9'000)));
      const auto artist = static_cast<std::uint32_t>(random.below(5));
      offers.emplace_back(Closeness(value, index),
                          Traits{artist == 4 ? Traits::kNoArtist : artist, static_cast<std::uint8_t>(random.below(4))});
    }
    NeighborCollector in_order;
    for (const auto& [track, traits] : offers) in_order.add(track, traits);
    for (std::size_t i = offers.size(); i > 1; --i) std::swap(offers[i - 1], offers[random.below(i)]);
    NeighborCollector in_disorder;
    for (const auto& [track, traits] : offers) {
      if (track.value() >= in_disorder.lower_bound(traits.terms) && in_disorder.may_accept(track, traits)) {
        in_disorder.add(track, traits);
      }
    }
    std::vector<RankedNeighbor> all;
    all.reserve(offers.size());
    for (const auto& [track, traits] : offers) all.push_back({track, traits.artist, 0});
    rank_neighbors(all);
    const auto indices = merge_lists(in_order.take());
    CHECK(indices == merge_lists(in_disorder.take()));
    const std::size_t overall = kNeighborLists.front().count_max;
    REQUIRE(indices.size() >= overall);
    for (std::size_t i = 0; i < overall; ++i) CHECK(indices[i] == all[i].track.index());
  }
}

}  // namespace tonearm::builder
