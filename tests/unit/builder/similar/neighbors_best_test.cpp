#include "similar/neighbors_best.h"

#include <doctest/doctest.h>

#include <map>

#include "fakes.h"

namespace tonearm::builder {

TEST_CASE("closer comes first, and equals in the order of their indices") {
  CHECK(Closeness(3, 7) > Closeness(2, 1));
  CHECK(Closeness(3, 1) > Closeness(3, 7));
  CHECK(Closeness(-1, 1) < Closeness(0, 7));
  CHECK(Closeness(INT16_MIN, 7).value() == INT16_MIN);
  CHECK(Closeness(-5, 7).value() == -5);
  CHECK(Closeness(-5, 7).index() == 7);
}

TEST_CASE("the order of offers changes nothing") {
  test::SeededRandom random(1);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::pair<Closeness, std::uint32_t>> offers;
    for (std::uint32_t index = 0; index < 300; ++index) {
      const auto value = static_cast<std::int16_t>(static_cast<int>(random.below(100)) - 50);
      const auto artist = static_cast<std::uint32_t>(random.below(5));
      offers.emplace_back(Closeness(value, index), artist == 4 ? Best::kNoArtist : artist);
    }
    Best in_order;
    for (const auto& [track, artist] : offers) in_order.offer(track, artist);
    for (std::size_t i = offers.size(); i > 1; --i) std::swap(offers[i - 1], offers[random.below(i)]);
    Best in_disorder;
    for (const auto& [track, artist] : offers) {
      if (track.value() >= in_disorder.least()) in_disorder.offer(track, artist);
    }
    const auto indices = in_order.take();
    CHECK(indices == in_disorder.take());
    CHECK(indices.size() == Best::kCount);
  }
}

TEST_CASE("a stand-in counts for the first ten alone, and once") {
  Best best;
  for (std::uint32_t index = 0; index < 80; ++index) best.offer({100, index}, 1);
  CHECK_FALSE(best.varied());
  for (std::uint32_t index = 80; index < 87; ++index) {
    best.offer_first({10, index}, index);
    best.offer_first({10, index}, index);
  }
  CHECK(best.varied());
  const auto indices = best.take();
  REQUIRE(indices.size() == Best::kCount);
  CHECK(indices[2] == 2);
  CHECK(indices[3] == 80);
  CHECK(indices[9] == 86);
  CHECK(indices[10] == 3);
}

}  // namespace tonearm::builder
