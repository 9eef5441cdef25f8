#pragma once
// Suggestions for searches that find nothing (SUGGEST-1 to SUGGEST-8).

#include <vector>

#include "api/requests/query_string.h"
#include "table/answers.h"
#include "tonearm/catalog.h"

namespace tonearm::api {

/// What the search found: nothing, or only tracks with some of its words (MOST-5).
enum class CurrentResults : std::uint8_t { nothing, some_words };

/// Returns up to three searches with the smallest changes that find something. If the given search found tracks with
/// some of its words, a suggestion must find tracks with all of its own. REQUIRES: values of kSearchParameters.
std::vector<table::Suggestion> suggest(const Catalog& catalog, const Values& values, CurrentResults results);

}  // namespace tonearm::api
