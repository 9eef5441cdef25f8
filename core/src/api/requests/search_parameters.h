#pragma once
// Converts checked parameters to the queries of the catalog, and applies the rules between parameters.

#include <optional>

#include "api/requests/query_string.h"
#include "table/arguments.h"
#include "tonearm/result.h"
#include "tonearm/search.h"

namespace tonearm::api {

/// Errors: a minimum above its maximum.
Result<SearchQuery> to_search_query(const table::SearchArguments& given);

/// Returns the filters of a similar list. Errors: a minimum above its maximum.
Result<Filters> to_filters(const table::NeighborFilters& given);

/// Fills `seeds` (empty: not given), `filters`, `limit` and `offset` of a collection's similar list. Errors as above.
Result<MergeQuery> to_merge_query(const table::CollectionSimilarArguments& given);

/// FILTER-3, SEARCH-11: returns an error for a filter or facet that does not apply to the requested kind.
std::optional<Error> check_kind(const Values& values, Kind kind);

}  // namespace tonearm::api
