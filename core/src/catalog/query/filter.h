#pragma once
// The filters of searches and similar lists (FILTER-1 to FILTER-10).

#include <span>
#include <string>
#include <vector>

#include "catalog/index/bitmap.h"
#include "catalog/index/layout.h"
#include "catalog/index/term_index.h"
#include "tonearm/search.h"

namespace tonearm::catalog {

/// Keeps the tracks that are in any of these posting lists. Without lists it keeps nothing.
struct AnyOf {
  std::vector<PostingList> lists;

  std::uint64_t max_count() const {
    std::uint64_t sum = 0;
    for (const PostingList& posting_list : lists) sum += posting_list.count;
    return sum;
  }
};

/// Keys of the term dictionary (facets.h): a track must have any of them.
using AnyOfKeys = std::vector<std::string>;
/// What the filters of a search ask of the index, all of which must hold; ranges of tempo and duration are not part of
/// it.
std::vector<AnyOfKeys> filter_keys(const SearchQuery& query);
std::vector<AnyOf> read_filters(std::span<const AnyOfKeys> filters, const TermIndex& terms);

/// The tracks of the kind that a search asks for, with speech or without (SEARCH-7).
PositionRange positions_of_kind(const SearchQuery& query, const Layout& layout);

/// Whether a track is in the ranges; without a tempo it is in no range of tempo (FILTER-6).
bool in_ranges(const Filters& filters, const Columns& columns, std::uint32_t position);

/// Whether they need the column `flags`.
bool needs_flags(const Filters& filters);

/// Whether a track passes all of `filters`.
bool passes(const Filters& filters, const Columns& columns, std::uint32_t position);

}  // namespace tonearm::catalog
