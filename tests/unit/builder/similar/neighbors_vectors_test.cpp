#include "similar/neighbors_vectors.h"

#include <doctest/doctest.h>

#include "rows_of.h"

namespace tonearm::builder {
TEST_CASE("vectors have the same length except for rounding, and equal features give equal vectors") {
  std::vector<Track> tracks;
  tracks.reserve(51);
  for (int i = 0; i < 50; ++i)
    tracks.push_back(test::titled("river " + std::string(3, static_cast<char>('a' + i % 7))));
  tracks.push_back(test::titled(""));
  const auto vectors = vectors_of(test::rows_of(tracks), 1);
  CHECK(vectors == vectors_of(test::rows_of(tracks, 2), 2));
  for (std::size_t i = 0; i < 50; ++i) {
    CHECK(half_square(vectors[i]) > 127 * 127 / 2 - 500);
    CHECK(half_square(vectors[i]) < 127 * 127 / 2 + 500);
    CHECK(vectors[i] == vectors[i % 7]);
  }
  CHECK(half_square(vectors.back()) == 0);
}

}  // namespace tonearm::builder
