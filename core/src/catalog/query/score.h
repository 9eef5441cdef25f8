#pragma once
// The formulas of scoring, in integers only, so that every processor gives the same order: the impact of a term in a
// track, the weight of a term in a query, and boosts. The score of a track is the sum of weight * impact over the
// terms, and its boosts (ranking.h). A test may compute the same from this header alone. Pure, thread-safe.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace tonearm::catalog {

/// How often a term occurs in the fields of one track. For `tags`: in how many tags (id or label).
struct FieldCounts {
  std::uint32_t title = 0;
  std::uint32_t tags = 0;
  std::uint32_t whole_tags = 0;  // of `tags`: whose id or label is this term alone
  std::uint32_t artist = 0;
  std::uint32_t category = 0;
  std::uint32_t description = 0;
  std::uint32_t title_length = 0;   // number of terms of the whole title
  std::uint32_t artist_length = 0;  // of the whole artist
};

/// 1..255. Title over tags over artist over category over description. A term that is all of a title, tag or artist
/// counts more than one of several, and a term of a short title more than one of a long title. Repetition in a
/// description soon stops counting. `quality`, in thousandths, makes a small difference.
constexpr std::uint8_t impact(const FieldCounts& counts, std::uint32_t quality) {
  constexpr std::uint32_t kMost = 251;  // leaves room for the best quality
  std::uint32_t sum = 0;
  if (counts.title > 0) sum += counts.title_length == 1 ? 230 : 64 + 24 / std::max(counts.title_length, 1U);
  if (counts.tags > 0) sum += counts.whole_tags > 0 ? 100 : 30;
  if (counts.artist > 0) sum += counts.artist_length == 1 ? 40 : 22;
  if (counts.category > 0) sum += 10;
  sum += 3 * std::min(counts.description, 3U);
  return static_cast<std::uint8_t>(std::clamp(sum, 1U, kMost) + std::min(quality, 1000U) / 250);
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

/// The weight of a term that `document_frequency` of `tracks` contain: log2(1 + (n - df + 0.5) / (df + 0.5)) in 1/256,
/// at least 1. REQUIRES: 0 < document_frequency <= tracks < 2^32.
constexpr std::uint32_t term_weight(std::uint64_t document_frequency, std::uint64_t tracks) {
  const std::uint64_t ratio_256 = 256 + 256 * (2 * (tracks - document_frequency) + 1) / (2 * document_frequency + 1);
  return std::max(log2_256(ratio_256) - 8 * 256, 1U);
}

/// The weight of a term of a synonym, if `query_weight` is the weight of the heaviest term of the query that it
/// replaces: the terms of the query come first, and a rare synonym of a common term gains nothing by it. `terms`: how
/// many the synonym has; several count half as much, because they may stand anywhere (`synonym_boost` adds to those
/// that do not).
constexpr std::uint32_t synonym_weight(std::uint32_t weight, std::uint32_t query_weight, std::uint32_t terms) {
  return std::max(std::min(weight, query_weight) / (terms == 1 ? 2 : 4 * terms), 1U);
}

/// Adds to a score; saturates at the highest.
constexpr std::uint32_t add_score(std::uint32_t a, std::uint64_t b) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(a + b, 0xffff'ffffU));
}

/// The boost of a track whose title, or title and artist, are the terms of the query in their order. It comes first: no
/// sum over a few terms reaches this.
inline constexpr std::uint32_t kWholeBoost = 1U << 24U;
/// Of a track whose artist they are.
inline constexpr std::uint32_t kArtistBoost = 300'000;
/// Two adjacent terms of the query that are adjacent in the title; `weights`: the sum of theirs.
constexpr std::uint32_t pair_boost(std::uint32_t weights) { return 60'000 + 60 * weights; }
/// Terms of the query that are a whole tag: as much as a tag of one term counts more than a term of a tag.
constexpr std::uint32_t tag_boost(std::uint32_t weights) { return 80'000 + 130 * weights; }
/// The impact that a single term of the query would have where a synonym has its boost, for `synonym_boost`.
inline constexpr std::uint32_t kPhraseImpact = 80;
/// Of either, if the terms are those of a synonym. `query_weight`: what the terms of the query that it replaces get in
/// the same place; by synonym_weight's rule they come first.
constexpr std::uint32_t synonym_boost(std::uint32_t boost, std::uint32_t query_boost) {
  return std::min(boost, query_boost) / 2;
}

static_assert(log2_256(1) == 0 && log2_256(256) == 2048 && log2_256(3) == 405);

}  // namespace tonearm::catalog
