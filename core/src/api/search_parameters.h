#pragma once
// From checked parameters to the question that the catalog answers.

#include <optional>

#include "api/query_string.h"
#include "tonearm/result.h"
#include "tonearm/search.h"

namespace tonearm::api {

/// REQUIRES: values of kSearchParameters. `limit` and `cursor` are read too.
SearchQuery to_search_query(const Values& values);

/// The filters that similar lists take. REQUIRES: values of kSimilarParameters or kCollectionSimilarParameters. Errors:
/// a minimum above its maximum.
Result<Filters> to_similar_filters(const Values& values);

/// What the parameters alone say of a collection's similar list: `seeds` (empty: not given), `filters`, `limit`,
/// `offset`. REQUIRES: values of kCollectionSimilarParameters. Errors as above.
Result<MergeQuery> to_merge_query(const Values& values);

/// catalog-api, Search rule 2: a filter that does not apply to the requested kind.
std::optional<Error> check_kind(const Values& values, Kind kind);

}  // namespace tonearm::api
