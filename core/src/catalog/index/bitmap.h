#pragma once
// Sets of tracks as bitmaps: one bit per position, 64 bits in a bitmap word. Pure.

#include <bit>
#include <cstdint>

namespace tonearm::catalog {

inline constexpr std::uint32_t kWordBits = 64;

constexpr std::uint32_t words_for(std::uint32_t positions) { return (positions + kWordBits - 1) / kWordBits; }

inline bool has_bit(const std::uint64_t* words, std::uint32_t position) {
  return (words[position / kWordBits] >> (position % kWordBits) & 1U) != 0;
}

inline void set_bit(std::uint64_t* words, std::uint32_t position) {
  words[position / kWordBits] |= std::uint64_t{1} << (position % kWordBits);
}

/// The positions in [begin, end).
struct PositionRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  std::uint32_t size() const { return end - begin; }
  bool contains(std::uint32_t position) const { return position >= begin && position < end; }
  /// The bitmap words that the range overlaps: [first_word(), last_word()).
  std::uint32_t first_word() const { return begin / kWordBits; }
  std::uint32_t last_word() const { return words_for(end); }
  /// Returns the bits of a bitmap word that are in the range.
  std::uint64_t mask(std::uint32_t word) const {
    std::uint64_t bits = ~std::uint64_t{0};
    if (word == begin / kWordBits) bits <<= begin % kWordBits;
    if (word == end / kWordBits) bits &= (std::uint64_t{1} << (end % kWordBits)) - 1;
    return bits;
  }
};

/// The members of a bitmap that are in a range.
struct BitRange {
  const std::uint64_t* words = nullptr;
  PositionRange range;

  std::uint64_t word(std::uint32_t index) const { return words[index] & range.mask(index); }
  bool contains(std::uint32_t position) const { return range.contains(position) && has_bit(words, position); }

  /// Calls `visit(position)` in ascending order, starting at the `skip`-th member, until it returns false.
  template <class Visit>
  void each(std::uint64_t skip, const Visit& visit) const {
    for (std::uint32_t i = range.first_word(); i < range.last_word(); ++i) {
      std::uint64_t bits = word(i);
      const auto members = static_cast<std::uint64_t>(std::popcount(bits));
      if (skip >= members) {
        skip -= members;
        continue;
      }
      for (; bits != 0; bits &= bits - 1) {
        if (skip > 0) {
          --skip;
        } else if (!visit(i * kWordBits + static_cast<std::uint32_t>(std::countr_zero(bits)))) {
          return;
        }
      }
    }
  }
};

}  // namespace tonearm::catalog
