#pragma once
// Ranking: the page of the best scores. Few matches are sorted. Of many, the first pages come from a top-k collector
// that scores only tracks that may still come onto the page, later ones from classes of scores.

#include <vector>

#include "catalog/query/boost.h"
#include "catalog/query/match.h"
#include "catalog/query/ties.h"

namespace tonearm::catalog {

/// Best score first, equal ones by the order of ties. REQUIRES: the search has words, and the matches are scored if
/// they are listed.
std::vector<std::uint32_t> page_by_score(Matches& matches, std::span<const Boost> boosts, TieOrder order,
                                         const Kernels& kernels, const PageRange& page);

}  // namespace tonearm::catalog
