#include "similar/numbered_hashes.h"

#include <doctest/doctest.h>

#include "similar/track_features.h"

namespace tonearm::builder {

TEST_CASE("a hash gets the next number at its first sight, and keeps it while the table grows") {
  NumberedHashes hashes;
  for (std::uint32_t i = 0; i < 10'000; ++i) CHECK(hashes.number_of(mix64(i)) == i);
  for (std::uint32_t i = 0; i < 10'000; ++i) CHECK(hashes.number_of(mix64(i)) == i);
  CHECK(hashes.size() == 10'000);
  CHECK(hashes.hashes()[9] == mix64(9));
}

TEST_CASE("hashes with the same slot get different numbers") {
  NumberedHashes hashes;
  CHECK(hashes.number_of(5) == 0);
  CHECK(hashes.number_of(5 + (1ULL << 40U)) == 1);
  CHECK(hashes.number_of(5) == 0);
}

}  // namespace tonearm::builder
