#pragma once
// The filters of searches and lists of similar tracks (FILTER-1 to FILTER-10).

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "catalog/index/bitmap.h"
#include "catalog/index/layout.h"
#include "catalog/index/term_index.h"
#include "tonearm/search.h"

namespace tonearm::catalog {

/// Matches the tracks that are in any of these posting lists; none if there are no lists.
struct AnyOf {
  std::vector<PostingList> lists;

  std::uint64_t max_count() const {
    std::uint64_t sum = 0;
    for (const PostingList& posting_list : lists) sum += posting_list.count;
    return sum;
  }
};

/// Keys of the term dictionary (facets.h) of which a track must have at least one.
using AnyOfKeys = std::vector<std::string>;
/// Returns the filters of a search that use the index; all must match. Ranges of tempo and duration are not included.
std::vector<AnyOfKeys> filter_keys(const SearchQuery& query);
std::vector<AnyOf> read_filters(std::span<const AnyOfKeys> filters, const TermIndex& terms);

/// Returns the range of the kind that a search selects, with or without speech (SEARCH-7).
PositionRange positions_of_kind(const SearchQuery& query, const Layout& layout);

/// The inclusive bounds of a range. Both are always compared, because a branch would often be mispredicted.
struct Bounds {
  std::uint64_t least = 0;
  std::uint64_t most = ~std::uint64_t{0};

  bool contains(std::uint64_t value) const {
    return (static_cast<unsigned>(value >= least) & static_cast<unsigned>(value <= most)) != 0;
  }
};
Bounds bounds_of(const Range& range);
/// A track without a tempo, whose column is 0, is in no range of tempo (FILTER-6).
Bounds tempo_bounds(const Range& bpm_hundredths);

/// Whether the filters need the column `flags`.
bool needs_flags(const Filters& filters);

/// Whether a track passes all of `filters`.
bool passes(const Filters& filters, const Columns& columns, std::uint32_t position);

}  // namespace tonearm::catalog
