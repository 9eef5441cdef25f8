#pragma once
// From checked parameters to the question that the catalog answers.

#include <optional>

#include "api/requests/query_string.h"
#include "table/arguments.h"
#include "tonearm/result.h"
#include "tonearm/search.h"

namespace tonearm::api {

/// Errors: a minimum above its maximum.
Result<SearchQuery> to_search_query(const table::SearchArguments& given);

/// The filters that similar lists take. Errors: a minimum above its maximum.
Result<Filters> to_filters(const table::NeighborFilters& given);

/// What the arguments alone say of a collection's similar list: `seeds` (empty: not given), `filters`, `limit`,
/// `offset`. Errors as above.
Result<MergeQuery> to_merge_query(const table::CollectionSimilarArguments& given);

/// FILTER-3, SEARCH-11: a filter or a facet that does not apply to the requested kind.
std::optional<Error> check_kind(const Values& values, Kind kind);

}  // namespace tonearm::api
