#pragma once
// The scoring formulas, in integers only, so that every processor gives the same order: the impact of a term in a
// track, the weight of a term in a query, and boosts. The score of a track is the sum of weight * impact over the
// terms, plus its boosts (ranking.h). A test can recompute scores from this header alone. Pure, thread-safe.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace tonearm::catalog {

/// The number of occurrences of a term in the fields of a track. `tags` counts tags whose id or label contains the
/// term.
struct FieldCounts {
  std::uint32_t title = 0;
  std::uint32_t tags = 0;
  std::uint32_t whole_tags = 0;  // the tags whose id or label is this term alone
  std::uint32_t artist = 0;
  std::uint32_t category = 0;
  std::uint32_t description = 0;
  std::uint32_t title_length = 0;   // field length: the number of terms of the title
  std::uint32_t artist_length = 0;  // of the artist
};

/// Returns 1..255. Fields in descending order: title, tags, artist, category, description. A term that is a whole
/// title, tag or artist counts more than one of several, and a term of a short title more than one of a long title
/// (field norm). Repetition in a description saturates quickly. `quality`, in thousandths, makes a small difference.
constexpr std::uint8_t impact(const FieldCounts& counts, std::uint32_t quality) {
  constexpr std::uint32_t kMaxTextImpact = 251;  // leaves room for the best quality
  std::uint32_t sum = 0;
  if (counts.title > 0) sum += counts.title_length == 1 ? 230 : 64 + 24 / std::max(counts.title_length, 1U);
  if (counts.tags > 0) sum += counts.whole_tags > 0 ? 100 : 30;
  if (counts.artist > 0) sum += counts.artist_length == 1 ? 40 : 22;
  if (counts.category > 0) sum += 10;
  sum += 3 * std::min(counts.description, 3U);
  return static_cast<std::uint8_t>(std::clamp(sum, 1U, kMaxTextImpact) + std::min(quality, 1000U) / 250);
}

/// Returns log2(x) in 1/256, rounded down. REQUIRES: x > 0.
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

/// Returns the inverse document frequency of a term in 1/256, at least 1: log2(1 + (n - df + 0.5) / (df + 0.5)).
/// REQUIRES: 0 < document_frequency <= tracks < 2^32.
constexpr std::uint32_t term_weight(std::uint64_t document_frequency, std::uint64_t tracks) {
  const std::uint64_t ratio_256 = 256 + 256 * (2 * (tracks - document_frequency) + 1) / (2 * document_frequency + 1);
  return std::max(log2_256(ratio_256) - 8 * 256, 1U);
}

/// Returns the weight of a term of a synonym. `query_weight`: the weight of the heaviest query term that the synonym
/// replaces. Query terms rank first, and a rare synonym of a common term gains nothing. `terms`: the number of terms of
/// the synonym. Several terms count half as much, because they may occur anywhere; `synonym_boost` adds to those that
/// are adjacent.
constexpr std::uint32_t synonym_weight(std::uint32_t weight, std::uint32_t query_weight, std::uint32_t terms) {
  return std::max(std::min(weight, query_weight) / (terms == 1 ? 2 : 4 * terms), 1U);
}

/// Adds to a score; saturates at the maximum.
constexpr std::uint32_t add_score(std::uint32_t a, std::uint64_t b) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(a + b, 0xffff'ffffU));
}

/// The boost of a track whose title, or title and artist, are the query's terms in order. It ranks first: no sum over a
/// few terms reaches it.
inline constexpr std::uint32_t kWholeBoost = 1U << 24U;
/// The boost of a track whose artist is the query's terms.
inline constexpr std::uint32_t kArtistBoost = 300'000;
/// The boost for two adjacent terms of the query that are adjacent in the title. `weights`: the sum of their weights.
constexpr std::uint32_t pair_boost(std::uint32_t weights) { return 60'000 + 60 * weights; }
/// The boost for terms of the query that are a whole tag: the difference between a tag of one term and a term of a
/// longer tag.
constexpr std::uint32_t tag_boost(std::uint32_t weights) { return 80'000 + 130 * weights; }
/// For `synonym_boost`: the impact of a single query term in the field where its synonym has a boost.
inline constexpr std::uint32_t kPhraseImpact = 80;
/// The boost for a pair or a tag of a synonym's terms. `query_boost`: what the replaced query terms get in the same
/// field. As with `synonym_weight`, query terms rank first.
constexpr std::uint32_t synonym_boost(std::uint32_t boost, std::uint32_t query_boost) {
  return std::min(boost, query_boost) / 2;
}

static_assert(log2_256(1) == 0 && log2_256(256) == 2048 && log2_256(3) == 405);

}  // namespace tonearm::catalog
