#pragma once
// Pages of neighbors: of one track, and of several seeds merged (SIMILAR-1, SIMILAR-3).

#include "catalog/query/ties.h"

namespace tonearm::catalog {

/// As Catalog::similar.
Page page_of_neighbors(std::uint32_t position, const Filters& filters, const PageRange& page, const Index& index,
                       const Fetcher& fetcher);
/// As Catalog::merge_similar.
Page page_of_merged(const MergeQuery& query, const Index& index, const Fetcher& fetcher);

}  // namespace tonearm::catalog
