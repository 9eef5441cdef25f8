#pragma once
// The shuffle of a seed (SORT-4). The default shuffle is the numbering of the tracks (index/hash.h). Pure, thread-safe.

#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

#include "catalog/index/hash.h"

namespace tonearm::catalog {

/// A bijection between ranks and positions, both below the smallest power of two that is at least the number of
/// positions. Sorting positions by rank shuffles them. The order can be walked from its start, and the rank of one
/// position can be computed without the rest.
class SeededShuffle {
 public:
  constexpr SeededShuffle(std::string_view seed, std::uint32_t positions)
      : bits_(positions < 2 ? 1 : static_cast<int>(std::bit_width(positions - 1U))),
        mask_((std::uint64_t{1} << bits_) - 1) {
    std::uint64_t state = hash64(seed);
    for (Round& round : rounds_) {
      state = mix64(state + 0x9e3779b97f4a7c15U);
      round.factor = state | 1U;
      state = mix64(state + 0x9e3779b97f4a7c15U);
      round.addend = state;
      round.inverse = round.factor;
      // Newton: each step doubles the number of correct bits, and an odd number is its own inverse in the lowest three.
      for (int i = 0; i < 5; ++i) round.inverse *= 2 - round.factor * round.inverse;
    }
  }

  constexpr std::uint64_t rank_count() const { return mask_ + 1; }

  /// May exceed the last position: skip such ranks.
  constexpr std::uint64_t position_at(std::uint64_t rank) const {
    for (const Round& round : rounds_) {
      rank = (rank * round.factor + round.addend) & mask_;
      rank ^= rank >> shift();
    }
    return rank;
  }

  constexpr std::uint64_t rank_of(std::uint64_t position) const {
    for (auto round = rounds_.rbegin(); round != rounds_.rend(); ++round) {
      position ^= position >> shift();
      position = ((position - round->addend) * round->inverse) & mask_;
    }
    return position;
  }

 private:
  // At least half of the bits, so that applying it twice undoes it.
  constexpr int shift() const { return (bits_ + 1) / 2; }

  struct Round {
    std::uint64_t factor = 0;
    std::uint64_t addend = 0;
    std::uint64_t inverse = 0;
  };
  int bits_;
  std::uint64_t mask_;
  std::array<Round, 4> rounds_{};
};

static_assert(SeededShuffle("a", 1000).rank_of(SeededShuffle("a", 1000).position_at(123)) == 123);

}  // namespace tonearm::catalog
