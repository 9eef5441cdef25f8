#pragma once
// What to offer where a search found nothing (SUGGEST-1 to SUGGEST-8).

#include <vector>

#include "api/requests/query_string.h"
#include "table/answers.h"
#include "tonearm/catalog.h"

namespace tonearm::api {

/// What a search has found already: nothing, or tracks that hold some of its words (MOST-5).
enum class FoundSoFar : std::uint8_t { nothing, some_words };

/// Up to three searches that differ from the given one by the smallest change, and find something: where it found
/// tracks with some of its words, one with all of theirs. REQUIRES: values of kSearchParameters.
std::vector<table::Suggestion> suggest(const Catalog& catalog, const Values& values, FoundSoFar so_far);

}  // namespace tonearm::api
