#pragma once
// The score of a track for a query, in integers only, so that every processor gives the same order. A test
// may compute the same from this header alone. Pure, thread-safe.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace tonearm::catalog {

/// How often a word stands in the texts of one track. For `tags`: in how many tags (id or label).
struct FieldCounts {
  std::uint32_t title = 0;
  std::uint32_t tags = 0;
  std::uint32_t artist = 0;
  std::uint32_t category = 0;
  std::uint32_t description = 0;
  std::uint32_t title_words = 0;  // number of words of the whole title
};

/// 1..255. Each text counts with its weight, and further mentions soon count no more; a word of a short
/// title says more of the track.
constexpr std::uint8_t impact(const FieldCounts& counts) {
  std::uint32_t weight = 40 * std::min(counts.title, 2U) + 24 * std::min(counts.tags, 2U) +
                         18 * std::min(counts.artist, 2U) + 10 * std::min(counts.category, 1U) +
                         4 * std::min(counts.description, 4U);
  if (counts.title > 0) weight += 24 / std::max(counts.title_words, 1U);
  return static_cast<std::uint8_t>(1 + 254 * weight / (weight + 60));
}

/// log2(x) in 1/256, rounded down. REQUIRES: x > 0.
constexpr std::uint32_t log2_256(std::uint64_t x) {
  const auto whole = static_cast<std::uint32_t>(std::bit_width(x) - 1);
  // The mantissa in 1..2 as a 31-bit fraction; each squaring gives one binary digit of the logarithm.
  std::uint64_t mantissa = whole >= 31 ? x >> (whole - 31) : x << (31 - whole);
  std::uint32_t digits = 0;
  for (int i = 0; i < 8; ++i) {
    mantissa = mantissa * mantissa >> 31U;
    digits <<= 1U;
    if (mantissa >> 32U != 0) {
      mantissa >>= 1U;
      digits |= 1U;
    }
  }
  return whole * 256 + digits;
}

/// How much a word that stands in `tracks_with` of `tracks` says: log2(1 + (n - df + 0.5) / (df + 0.5)) in 1/256,
/// at least 1. REQUIRES: 0 < tracks_with <= tracks < 2^32.
constexpr std::uint32_t word_weight(std::uint64_t tracks_with, std::uint64_t tracks) {
  const std::uint64_t ratio_256 = 256 + 256 * (2 * (tracks - tracks_with) + 1) / (2 * tracks_with + 1);
  return std::max(log2_256(ratio_256) - 8 * 256, 1U);
}

/// Sums of weight * impact; what would not fit stays at the highest score.
constexpr std::uint32_t add_score(std::uint32_t a, std::uint64_t b) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(a + b, 0xffff'ffffU));
}

static_assert(log2_256(1) == 0 && log2_256(256) == 2048 && log2_256(3) == 405);

}  // namespace tonearm::catalog
