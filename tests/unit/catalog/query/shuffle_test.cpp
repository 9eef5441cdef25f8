#include "catalog/query/shuffle.h"

#include <doctest/doctest.h>

#include <vector>

using namespace tonearm::catalog;

TEST_CASE("a seeded shuffle is a bijection, and seeds differ") {
  for (const std::uint32_t size : {0U, 1U, 2U, 3U, 64U, 65U, 1000U}) {
    const SeededShuffle shuffle("a seed", size);
    std::vector<bool> seen(shuffle.rank_count());
    for (std::uint64_t rank = 0; rank < shuffle.rank_count(); ++rank) {
      const std::uint64_t position = shuffle.position_at(rank);
      REQUIRE(position < seen.size());
      CHECK_FALSE(seen[position]);
      seen[position] = true;
      CHECK(shuffle.rank_of(position) == rank);
    }
  }
  CHECK(SeededShuffle("a", 1U << 20U).position_at(0) != SeededShuffle("b", 1U << 20U).position_at(0));
  CHECK(SeededShuffle("a", 0xffff'ffffU).rank_of(SeededShuffle("a", 0xffff'ffffU).position_at(77)) == 77);
}
