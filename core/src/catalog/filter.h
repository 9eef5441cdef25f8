#pragma once
// The filters of searches and similar lists (catalog-api, Search; C4.8 to C4.12).

#include "catalog/doc_set.h"
#include "catalog/index.h"
#include "catalog/layout.h"
#include "tonearm/search.h"

namespace tonearm::catalog {

/// Tracks that pass all of a search's filters but its ranges of tempo and duration.
DocSet candidates(const SearchQuery& query, const Layout& layout, Index& index);

/// Whether a track lies in the ranges; without a tempo it lies in no range of tempo (C4.9).
bool in_ranges(const Filters& filters, const Columns& columns, std::uint32_t position);

/// Whether a track passes all of `filters`.
bool passes(const Filters& filters, const Columns& columns, std::uint32_t position);

}  // namespace tonearm::catalog
