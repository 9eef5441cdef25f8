#include "similar/neighbors_scan.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "fakes.h"

namespace tonearm::builder {
namespace {

Vector random_vector(test::SeededRandom& random) {
  Vector vector;
  for (auto& value : vector) value = static_cast<std::int8_t>(static_cast<int>(random.below(33)) - 16);
  return vector;
}

}  // namespace

TEST_CASE("every scan returns the closeness of each pair, and the minimum for empty lanes") {
  test::SeededRandom random(1);
  Vector extreme{};
  extreme[0] = 127;
  Vector opposite{};
  opposite[0] = -127;
  for (const std::size_t count : {std::size_t{1}, std::size_t{5}, kLanes}) {
    std::vector<Vector> vectors{extreme};
    while (vectors.size() < count) vectors.push_back(random_vector(random));
    Tile tile;
    fill(tile, vectors);
    const std::array<Vector, kQueries> queries{extreme, opposite, random_vector(random), random_vector(random)};
    std::array<Query, kQueries> compared;
    std::transform(queries.begin(), queries.end(), compared.begin(), query_of);
    for (const auto& scan : usable_scans()) {
      scan.prepare(tile);
      Closenesses found;
      scan.compare(tile, compared.data(), found);
      for (std::size_t query = 0; query < kQueries; ++query) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
          CHECK(found.values[query][lane] == (lane < count ? closeness(queries[query], vectors[lane]) : kMinCloseness));
        }
        const auto& values = found.values[query];
        CHECK(found.greatest[query] == *std::max_element(values.begin(), values.end()));
      }
    }
  }
}

TEST_CASE("transposed vectors fill the same tile, and each can be read") {
  test::SeededRandom random(2);
  std::array<Vector, kLanes> vectors;
  for (auto& vector : vectors) vector = random_vector(random);
  auto transposed = vectors;
  transpose(transposed);
  for (std::size_t lane = 0; lane < kLanes; ++lane) CHECK(vector_of(transposed, lane) == vectors[lane]);
  Tile expected;
  fill(expected, vectors);
  Tile tile;
  fill_transposed(tile, transposed);
  CHECK(tile.quads == expected.quads);
  CHECK(tile.bases == expected.bases);
  transpose(transposed);
  CHECK(transposed == vectors);
}

}  // namespace tonearm::builder
