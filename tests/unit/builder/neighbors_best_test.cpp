#include "neighbors_best.h"

#include <doctest/doctest.h>

#include <map>

#include "fakes.h"

namespace tonearm::builder {

TEST_CASE("closer comes first, and equals in the order of their places") {
  CHECK(Closeness(3, 7) > Closeness(2, 1));
  CHECK(Closeness(3, 1) > Closeness(3, 7));
  CHECK(Closeness(-1, 1) < Closeness(0, 7));
  CHECK(Closeness(INT16_MIN, 7).value() == INT16_MIN);
  CHECK(Closeness(-5, 7).value() == -5);
  CHECK(Closeness(-5, 7).place() == 7);
}

TEST_CASE("the order of offers changes nothing") {
  test::SeededRandom random(1);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::pair<Closeness, std::uint32_t>> offers;
    for (std::uint32_t place = 0; place < 300; ++place) {
      const auto value = static_cast<std::int16_t>(static_cast<int>(random.below(100)) - 50);
      const auto artist = static_cast<std::uint32_t>(random.below(5));
      offers.emplace_back(Closeness(value, place), artist == 4 ? Best::kNoArtist : artist);
    }
    Best in_order;
    for (const auto& [track, artist] : offers) in_order.offer(track, artist);
    for (std::size_t i = offers.size(); i > 1; --i) std::swap(offers[i - 1], offers[random.below(i)]);
    Best in_disorder;
    for (const auto& [track, artist] : offers) {
      if (track.value() >= in_disorder.least()) in_disorder.offer(track, artist);
    }
    const auto places = in_order.take();
    CHECK(places == in_disorder.take());
    CHECK(places.size() == Best::kCount);
  }
}

TEST_CASE("a stand-in counts for the first ten alone, and once") {
  Best best;
  for (std::uint32_t place = 0; place < 80; ++place) best.offer({100, place}, 1);
  CHECK_FALSE(best.varied());
  for (std::uint32_t place = 80; place < 87; ++place) {
    best.offer_first({10, place}, place);
    best.offer_first({10, place}, place);
  }
  CHECK(best.varied());
  const auto places = best.take();
  REQUIRE(places.size() == Best::kCount);
  CHECK(places[2] == 2);
  CHECK(places[3] == 80);
  CHECK(places[9] == 86);
  CHECK(places[10] == 3);
}

}  // namespace tonearm::builder
