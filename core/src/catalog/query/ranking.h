#pragma once
// Ranks matches by score and returns a page. A top-k collector selects from a list of matches. Of a bitmap it scores
// only tracks that can still reach the page. For a late page it begins with a score that is estimated from a sample; if
// that was too high, or the page is too late, all matches are scored into buckets.

#include <vector>

#include "catalog/query/boost.h"
#include "catalog/query/match.h"
#include "catalog/query/ties.h"

namespace tonearm::catalog {

/// Sorts by descending score, equal ones by the order of ties. REQUIRES: the search has words, and listed matches have
/// scores.
std::vector<std::uint32_t> page_by_score(Matches& matches, std::span<const Boost> boosts, TieOrder order,
                                         const Kernels& kernels, const PageRange& page);

}  // namespace tonearm::catalog
