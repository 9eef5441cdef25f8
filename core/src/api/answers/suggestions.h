#pragma once
// Suggestions for searches that find too little (SUGGEST-1 to SUGGEST-8).

#include <optional>
#include <vector>

#include "api/requests/query_string.h"
#include "table/answers.h"
#include "tonearm/catalog.h"

namespace tonearm::api {

/// Whether the first tracks of a page's search have all words that count. True for match=all.
bool has_all_words(const Page& page);

/// Returns up to three searches with the smallest changes that find something; nothing if the search found enough. If
/// it found tracks with some of its words, a suggestion must find tracks with all of its own (MOST-5). REQUIRES: values
/// of kSearchParameters; `page` is what their search found.
std::optional<std::vector<table::Suggestion>> suggest(const Catalog& catalog, const Values& values, const Page& page);

}  // namespace tonearm::api
