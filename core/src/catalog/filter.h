#pragma once
// The filters of searches and similar lists (catalog-api, Search; C4.8 to C4.12).

#include <string>
#include <vector>

#include "catalog/bits.h"
#include "catalog/layout.h"
#include "catalog/term_index.h"
#include "tonearm/search.h"

namespace tonearm::catalog {

/// Keeps the tracks of any of these postings; of none: nothing.
struct AnyOf {
  std::vector<Posting> postings;

  std::uint64_t most() const {
    std::uint64_t sum = 0;
    for (const Posting& posting : postings) sum += posting.count;
    return sum;
  }
};

/// What a search's filters ask of the index. A track has to be in the range, in each of `conditions`, and to pass
/// `in_ranges`.
struct FilterPlan {
  PositionRange range;  // kind, and speech or not (C4.12)
  std::vector<AnyOf> conditions;
};

/// Keys of terms (facets.h): a track has to have any of them.
using AnyOfKeys = std::vector<std::string>;
/// What the filters of a search ask of the index, ranges aside.
std::vector<AnyOfKeys> filter_keys(const SearchQuery& query);

FilterPlan plan_filters(const SearchQuery& query, const Layout& layout, const TermIndex& index);

/// Whether `value` lies in a range.
bool is_within(const Range& range, std::uint64_t value);

/// Whether a track lies in the ranges; without a tempo it lies in no range of tempo (C4.9).
bool in_ranges(const Filters& filters, const Columns& columns, std::uint32_t position);

/// Whether the column `flags` has to be read for them.
bool asks_for_flags(const Filters& filters);

/// Whether a track passes all of `filters`.
bool passes(const Filters& filters, const Columns& columns, std::uint32_t position);

}  // namespace tonearm::catalog
