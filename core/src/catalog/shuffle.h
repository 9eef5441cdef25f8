#pragma once
// The fixed shuffles (C4.5, C4.6): integers made from ids and seeds. Pure, thread-safe.

#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

namespace tonearm::catalog {

/// The finalizer of SplitMix64: a bijection of 64 bits.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

/// FNV-1a of the bytes, then mixed. Tracks of one group are numbered in the order of this hash of their ids
/// (ties by id): that numbering is the default shuffle.
constexpr std::uint64_t hash64(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3U;
  }
  return mix64(hash);
}

/// The shuffle of a seed: a bijection between places and positions, both below the least power of two that is no less
/// than the number of positions. The order of the positions is that of their places. It can be walked from its
/// beginning, or asked for the place of one position, without making it whole.
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
      // Newton: each step doubles the number of right bits, and an odd number is its own inverse in the lowest three.
      for (int i = 0; i < 5; ++i) round.inverse *= 2 - round.factor * round.inverse;
    }
  }

  constexpr std::uint64_t place_count() const { return mask_ + 1; }

  /// May lie beyond the last position: such places are to be passed over.
  constexpr std::uint64_t position_at(std::uint64_t place) const {
    for (const Round& round : rounds_) {
      place = (place * round.factor + round.addend) & mask_;
      place ^= place >> shift();
    }
    return place;
  }

  constexpr std::uint64_t place_of(std::uint64_t position) const {
    for (auto round = rounds_.rbegin(); round != rounds_.rend(); ++round) {
      position ^= position >> shift();
      position = ((position - round->addend) * round->inverse) & mask_;
    }
    return position;
  }

 private:
  // At least half of the bits, so that a second time undoes the first.
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

static_assert(SeededShuffle("a", 1000).place_of(SeededShuffle("a", 1000).position_at(123)) == 123);

}  // namespace tonearm::catalog
