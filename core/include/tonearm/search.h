#pragma once
// Catalog queries as plain values: validated API parameters.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tonearm/track.h"

namespace tonearm {

enum class Sort : std::uint8_t { shuffle, relevance, quality, shortest, longest, slow, fast, newest };
/// SORT-1: returns the requested sort, or the default. `has_words`: whether `q` has any word (SEARCH-6).
constexpr Sort effective_sort(std::optional<Sort> requested, bool has_words) {
  return requested.value_or(has_words ? Sort::relevance : Sort::shuffle);
}
enum class CreditFilter : std::uint8_t { any, optional, requested };
enum class WordMatch : std::uint8_t { automatic, all, most };
enum class Variants : std::uint8_t { keep, collapse };
enum class LengthBucket : std::uint8_t { xs, s, m, l };
inline constexpr std::array<std::string_view, 4> kLengthNames{"xs", "s", "m", "l"};

/// An inclusive range. A missing bound is open. The field's name states the unit.
struct Range {
  std::optional<std::uint64_t> min;
  std::optional<std::uint64_t> max;

  bool empty() const { return !min && !max; }
  bool contains(std::uint64_t value) const { return (!min || value >= *min) && (!max || value <= *max); }
  friend bool operator==(const Range&, const Range&) = default;
};

/// The filters that searches and lists of similar tracks share.
struct Filters {
  Range bpm_hundredths;  // with any bound, tracks without a tempo are omitted (FILTER-6)
  Range duration_ms;
  std::optional<bool> commercial;
  CreditFilter credit = CreditFilter::any;
  bool loops_only = false;
  std::optional<Vocals> vocals;

  friend bool operator==(const Filters&, const Filters&) = default;
};

/// GET /v1/search. A list matches any of its values; an empty list filters nothing. `limit` is 1..50.
struct SearchQuery {
  std::string q;
  WordMatch match = WordMatch::automatic;  // SEARCH-9
  Variants variants = Variants::keep;      // SEARCH-12
  Kind kind = Kind::music;
  Filters filters;
  std::vector<LengthBucket> lengths;
  std::vector<Energy> energies;
  std::vector<Tone> tones;
  bool good_quality = false;
  std::array<std::vector<std::string>, kFacetCount> tags;  // indexed by Facet
  std::vector<std::string> categories;                     // category ids, group ids or BST group codes
  std::vector<LicenseId> licenses;
  std::optional<bool> share_alike;
  std::vector<std::string> excluded;  // each a set of words: tracks that contain all words of any set are omitted
  std::vector<std::string> excluded_sources;  // domains
  std::vector<std::string> excluded_tags;     // of any facet
  bool playable_only = false;                 // only tracks with a preview or an original
  std::string creator;                        // empty: any
  std::vector<std::string> sources;           // domains
  std::optional<Sort> sort;                   // default: relevance if q has words, otherwise shuffle
  std::string seed;                           // empty: the default shuffle
  std::uint32_t limit = 20;
  std::uint32_t offset = 0;

  friend bool operator==(const SearchQuery&, const SearchQuery&) = default;
};

/// The facets whose values a search can count (SEARCH-11). The first ones are those of Facet, in its order. Each is
/// named after the parameter that filters by it.
enum class CountedFacet : std::uint8_t {
  genre,
  mood,
  use,
  instrument,
  sfx,
  category,
  energy,
  tone,
  license,
  source,
  creator,
};
inline constexpr std::array<std::string_view, 11> kCountedFacetNames{
    "genre", "mood", "use", "instrument", "sfx", "category", "energy", "tone", "license", "source", "creator"};

/// A value of a facet and the number of matches that have it.
struct ValueCount {
  std::string id;  // as the facet's parameter accepts it
  std::string label;
  std::uint64_t count = 0;

  friend bool operator==(const ValueCount&, const ValueCount&) = default;
};
struct FacetCounts {
  /// Indexed by CountedFacet; nothing if the facet was not requested.
  std::array<std::optional<std::vector<ValueCount>>, kCountedFacetNames.size()> of;
};

/// GET /v1/collections/{id}/similar: the merged neighbors of several tracks. Ids that are not in the catalog are
/// ignored.
struct MergeQuery {
  std::vector<std::string> seeds;     // each counts once, even if repeated (SIMILAR-3)
  std::vector<std::string> excluded;  // omitted from pages and total
  Filters filters;
  bool hide_non_commercial = false;  // for a commercial collection, whatever `filters` say
  std::uint32_t limit = 20;          // 1..50
  std::uint32_t offset = 0;
};

/// The largest number of tracks with one title or address that a lookup returns. If there are more, the title or
/// address decides nothing (CREDIT-23). If a duration is given, up to kNamesakesCompared durations are compared first.
inline constexpr std::size_t kNamesakesMax = 4;
inline constexpr std::size_t kNamesakesCompared = 512;

/// Finds tracks whose title consists of exactly these words. Title and artist, artist and title, or title "by" artist
/// also count.
struct TitleQuery {
  std::string text;
  Range duration_ms;  // compared only if many tracks have the title
};
/// Finds tracks by an address: of the source page, the preview or the original.
struct AddressQuery {
  std::string normalized_url;  // in the form of text/web_address.h
  Range duration_ms;           // compared only if many tracks have the address
};

/// What a completion is a text of. Of equal texts, the first field counts (COMPLETE-1).
enum class CompletionField : std::uint8_t { tag, category, artist, title, words };
inline constexpr std::array<std::string_view, 5> kCompletionFieldNames{"tag", "category", "artist", "title", "words"};

/// A text that completes what a person types.
struct Completion {
  std::string text;
  CompletionField field = CompletionField::words;
  std::uint64_t total = 0;    // the tracks that a search for the text finds with match=all
  bool is_corrected = false;  // what the person typed has another spelling

  friend bool operator==(const Completion&, const Completion&) = default;
};

/// A page of a list: the positions of its tracks in order, and the total over all pages.
struct Page {
  /// The number of tracks with equally many words of `q`, of a search with match=auto or most.
  struct TierTotal {
    std::uint32_t words = 0;
    std::uint64_t total = 0;

    friend bool operator==(const TierTotal&, const TierTotal&) = default;
  };

  std::vector<std::uint32_t> tracks;
  std::uint64_t total = 0;
  std::uint32_t words = 0;              // how many words of the query count (MOST-3); 0 with match=all
  std::vector<TierTotal> matched = {};  // the tiers, most words first
  bool has_unwanted = false;            // match=auto: `q` names words that are not wanted (AUTO-5)
  /// collapsed searches: the number of matches that each of `tracks` represents
  std::vector<std::uint32_t> variants = {};

  friend bool operator==(const Page&, const Page&) = default;
};

}  // namespace tonearm
