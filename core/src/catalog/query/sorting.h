#pragma once
// Returns a page of matches in an order that does not depend on scores: a stored sort or a shuffle. Every order is
// total (SORT-2).

#include <string_view>
#include <vector>

#include "catalog/query/match.h"
#include "catalog/query/ties.h"

namespace tonearm::catalog {

/// Returns the stored order of a sort. `relevance` without words uses the order of quality (SORT-3). REQUIRES: not
/// `shuffle`.
const Order& stored_order(Sort sort, const Index& index);
/// Pages by a stored sort. REQUIRES: `sort` is one of kStoredSorts.
std::vector<std::uint32_t> page_by_sort(const Matches& matches, const SearchQuery& query, Sort sort,
                                        const PageRange& page, const Index& index, const Fetcher& fetcher);
/// Pages by the default shuffle if `seed` is empty. `size`: the number of positions.
std::vector<std::uint32_t> page_shuffled(const Matches& matches, std::string_view seed, std::uint32_t size,
                                         const PageRange& page);

}  // namespace tonearm::catalog
