#pragma once
// What to offer where a search found nothing (SUGGEST-1 to SUGGEST-5).

#include <vector>

#include "api/query_string.h"
#include "table/answers.h"
#include "tonearm/catalog.h"

namespace tonearm::api {

/// Up to three searches that differ from the given one by one concrete relaxation and find something, those
/// that find most first. REQUIRES: values of kSearchParameters whose search has the total 0.
std::vector<table::Suggestion> suggest(const Catalog& catalog, const Values& values);

}  // namespace tonearm::api
