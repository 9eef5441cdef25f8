#pragma once
// Queries to a catalog, as plain values: what the API's parameters mean once they are checked.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tonearm/track.h"

namespace tonearm {

enum class Sort : std::uint8_t { shuffle, relevance, quality, shortest, longest, slow, fast };
enum class CreditFilter : std::uint8_t { any, optional, requested };
enum class WordMatch : std::uint8_t { all, most };
enum class Variants : std::uint8_t { keep, collapse };
enum class LengthBucket : std::uint8_t { xs, s, m, l };
inline constexpr std::array<std::string_view, 4> kLengthNames{"xs", "s", "m", "l"};

/// An inclusive range; an end that is missing is open. Units are those of the field's name.
struct Range {
  std::optional<std::uint64_t> min;
  std::optional<std::uint64_t> max;

  bool empty() const { return !min && !max; }
  bool has(std::uint64_t value) const { return (!min || value >= *min) && (!max || value <= *max); }
  friend bool operator==(const Range&, const Range&) = default;
};

/// The filters that searches and similar lists have in common.
struct Filters {
  Range bpm_hundredths;  // any end given: tracks without a tempo are left out (FILTER-6)
  Range duration_ms;
  std::optional<bool> commercial;
  CreditFilter credit = CreditFilter::any;
  bool loops_only = false;

  friend bool operator==(const Filters&, const Filters&) = default;
};

/// GET /v1/search. Lists are any-of; an empty list filters nothing. `limit` 1..50.
struct SearchQuery {
  std::string q;
  WordMatch match = WordMatch::all;    // MOST-1
  Variants variants = Variants::keep;  // SEARCH-12
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
  std::vector<std::string> excluded;  // words and phrases: tracks that hold all words of any of them are left out
  std::string creator;                // empty: any
  std::vector<std::string> sources;   // domains
  std::optional<Sort> sort;           // default: relevance with words in q, else shuffle
  std::string seed;                   // empty: the default shuffle
  std::uint32_t limit = 20;
  std::uint32_t offset = 0;

  friend bool operator==(const SearchQuery&, const SearchQuery&) = default;
};

/// What a search can count the values of (SEARCH-11). The first are those of Facet, in its order; each is named as the
/// parameter that filters by it.
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

/// A value of a facet, and how many matches have it.
struct ValueCount {
  std::string id;  // as the facet's parameter takes it
  std::string label;
  std::uint64_t count = 0;

  friend bool operator==(const ValueCount&, const ValueCount&) = default;
};
struct FacetCounts {
  /// Indexed by CountedFacet; nothing where a facet was not asked for.
  std::array<std::optional<std::vector<ValueCount>>, kCountedFacetNames.size()> of;
};

/// GET /v1/collections/{id}/similar: the neighbors of several tracks, merged. Ids that the catalog does not have, or no
/// longer, give nothing.
struct MergeQuery {
  std::vector<std::string> seeds;     // each counts once, however often it is named (SIMILAR-3)
  std::vector<std::string> left_out;  // in no page and in no total
  Filters filters;
  bool hide_non_commercial = false;  // for a commercial collection, whatever `filters` keep
  std::uint32_t limit = 20;          // 1..50
  std::uint32_t offset = 0;
};

/// How many tracks of one name are looked at; beyond that it decides nothing (CREDIT-23). Where a duration is given,
/// the durations of so many are compared before.
inline constexpr std::size_t kNamesakesMax = 4;
inline constexpr std::size_t kNamesakesCompared = 512;

/// Which tracks are called so: their whole title is these words; or title and artist, artist and title, title "by"
/// artist are.
struct TitleQuery {
  std::string text;
  Range duration_ms;  // only looked at where many are called so
};
/// Which tracks have an address: of their source page, preview or original.
struct AddressQuery {
  std::string plain;  // normalized: text/web_address.h
  Range duration_ms;  // as of a title
};

/// A page of a list: positions of tracks in the catalog, in order, and the count over all pages.
struct Page {
  /// How many tracks hold so many words.
  struct Held {
    std::uint32_t words = 0;
    std::uint64_t total = 0;

    friend bool operator==(const Held&, const Held&) = default;
  };

  std::vector<std::uint32_t> tracks;
  std::uint64_t total = 0;
  std::uint32_t words = 0;                   // of a search for the most words: how many count; 0: it is none (MOST-3)
  std::vector<Held> matched = {};            // of such a search: the most words first
  std::vector<std::uint32_t> variants = {};  // of a search that collapses: how many matches each of `tracks` stands for

  friend bool operator==(const Page&, const Page&) = default;
};

}  // namespace tonearm
