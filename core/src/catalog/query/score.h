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
  std::uint32_t title_length = 0;        // field length: the number of terms of the title
  std::uint32_t tags_length = 0;         // the number of tags
  std::uint32_t description_length = 0;  // the number of terms of the description
  std::uint32_t hidden = 0;              // tags that fit no facet (SEARCH-3)
  std::uint32_t hidden_length = 0;       // the number of their terms
};

/// The average lengths over the searchable tracks that have the field, in 1/256.
struct AverageLengths {
  std::uint32_t title = 256;
  std::uint32_t tags = 256;
  std::uint32_t description = 256;
  std::uint32_t hidden = 256;

  friend bool operator==(const AverageLengths&, const AverageLengths&) = default;
};

/// Returns sum / count in 1/256, rounded, at least 1; 256 if count is 0. REQUIRES: sum < 2^24 * count.
constexpr std::uint32_t average_256(std::uint64_t sum, std::uint64_t count) {
  return count == 0 ? 256 : static_cast<std::uint32_t>(std::max<std::uint64_t>((256 * sum + count / 2) / count, 1));
}

/// How much an occurrence in a field counts: its weight in 1/64, and `b` of BM25F in percent, by which the field's
/// length divides it.
struct FieldScore {
  std::uint32_t weight = 0;
  std::uint32_t b_percent = 0;
};
/// More occurrences in a field do not count: texts are not trusted, and repetition would buy a place.
inline constexpr std::uint32_t kOccurrencesMax = 2;
inline constexpr FieldScore kTitleScore{96, 65};
inline constexpr FieldScore kTagScore{128, 30};
inline constexpr FieldScore kWholeTagScore{64, 30};  // in addition to kTagScore
inline constexpr FieldScore kArtistScore{16};
inline constexpr FieldScore kCategoryScore{32};
inline constexpr FieldScore kDescriptionScore{64, 75};
inline constexpr FieldScore kHiddenScore{48, 30};
/// `k1` of BM25F in 1/64: the sum of weighted occurrences that gives half of the highest impact.
inline constexpr std::uint64_t kSaturation = 256;
/// The least impact of a term that is the whole title. Other impacts are lower.
inline constexpr std::uint32_t kWholeTitleImpact = 140;
/// The most that quality adds to an impact.
inline constexpr std::uint32_t kQualityImpact = 2;

/// Returns weight * count / (1 - b + b * length / average), in 1/256 of the weight's unit. `average` is in 1/256.
constexpr std::uint64_t weighted_count(const FieldScore& score, std::uint32_t count, std::uint64_t length = 0,
                                       std::uint64_t average = 256) {
  const std::uint64_t divisor = (100 - score.b_percent) * average + score.b_percent * length * 256;
  return std::uint64_t{score.weight} * std::min(count, kOccurrencesMax) * 25'600 * average / divisor;
}

/// Returns 1..255 by BM25F: the weighted occurrences in all fields are added up, and the sum saturates. A term that is
/// the whole title scores more than any other. `quality`, in thousandths, makes a small difference. REQUIRES: average
/// lengths below 2^32.
constexpr std::uint8_t impact(const FieldCounts& counts, const AverageLengths& average, std::uint32_t quality) {
  const std::uint64_t sum =
      weighted_count(kTitleScore, counts.title, counts.title_length, average.title) +
      weighted_count(kTagScore, counts.tags, counts.tags_length, average.tags) +
      weighted_count(kWholeTagScore, counts.whole_tags, counts.tags_length, average.tags) +
      weighted_count(kArtistScore, counts.artist) + weighted_count(kCategoryScore, counts.category) +
      weighted_count(kDescriptionScore, counts.description, counts.description_length, average.description) +
      weighted_count(kHiddenScore, counts.hidden, counts.hidden_length, average.hidden);
  const auto text = static_cast<std::uint32_t>(255 * sum / (sum + 256 * kSaturation));
  const bool is_whole_title = counts.title > 0 && counts.title_length == 1;
  const std::uint32_t limited = is_whole_title ? std::clamp(text, kWholeTitleImpact, 255 - kQualityImpact)
                                               : std::clamp(text, 1U, kWholeTitleImpact - kQualityImpact - 1);
  return static_cast<std::uint8_t>(limited + std::min(quality, 1000U) * kQualityImpact / 1000);
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

/// Returns the weight of a term of a narrower or related phrase. `share`: the weight of its relation, in 256ths.
/// `terms`: the number of terms of the phrase.
constexpr std::uint32_t related_weight(std::uint32_t weight, std::uint32_t share, std::uint32_t terms) {
  return std::max(weight * share / (256 * terms), 1U);
}

/// AUTO-6: a relation of at least this weight is close.
inline constexpr std::uint32_t kCloseShare = 128;
/// AUTO-6: what a close relation adds to the impact of each term of the related phrase, so that a track with more of
/// the query's meaning precedes one with fewer words.
inline constexpr std::uint32_t kCloseImpact = 64;
/// Returns what each term of a related phrase adds to its score. `weight`: its `related_weight`.
constexpr std::uint64_t close_boost(std::uint32_t weight, std::uint32_t share) {
  return share < kCloseShare ? 0 : std::uint64_t{weight} * kCloseImpact;
}

/// AUTO-6: returns the weight of a term of a clause that is a tag of the catalog. Tags name things; of "train passing"
/// the train is wanted.
constexpr std::uint32_t tag_weight(std::uint32_t weight) {
  return static_cast<std::uint32_t>(std::uint64_t{weight} * 3 / 2);
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
constexpr std::uint32_t pair_boost(std::uint32_t weights) { return 51 * weights; }
/// The boost for terms of the query that are a whole tag: as kWholeTagScore does for a single term.
constexpr std::uint32_t tag_boost(std::uint32_t weights) { return 77 * weights; }
/// For `synonym_boost`: the impact of a single query term in the field where its synonym has a boost.
inline constexpr std::uint32_t kPhraseImpact = 64;
/// The boost for a pair or a tag of a synonym's terms. `query_boost`: what the replaced query terms get in the same
/// field. As with `synonym_weight`, query terms rank first.
constexpr std::uint32_t synonym_boost(std::uint32_t boost, std::uint32_t query_boost) {
  return std::min(boost, query_boost) / 2;
}

static_assert(log2_256(1) == 0 && log2_256(256) == 2048 && log2_256(3) == 405);

}  // namespace tonearm::catalog
