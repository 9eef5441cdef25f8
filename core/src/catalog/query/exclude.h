#pragma once
// `exclude` (SEARCH-10), `exclude_source` and `exclude_tags` (FILTER-14): removes tracks that have all terms of any
// excluded set.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "catalog/index/bitmap.h"
#include "catalog/index/term_index.h"
#include "catalog/index/tokenizer.h"
#include "catalog/query/query_terms.h"
#include "tonearm/search.h"

namespace tonearm::catalog {

/// Tokenizes each value of `exclude` into a term set. Values without words exclude nothing and are skipped.
std::vector<TermSet> excluded_term_sets(const std::vector<std::string>& texts, Tokenizer& tokenizer);

/// Keys of the term dictionary (facets.h): tracks that have all of them are removed.
using ExcludedKeys = std::vector<std::string>;
/// Returns the keys of each set.
std::vector<ExcludedKeys> keys_of_terms(std::span<const TermSet> term_sets);
/// Returns the keys of term sets, and of the excluded sources and tags of a search.
std::vector<ExcludedKeys> excluded_keys(std::span<const TermSet> term_sets, const SearchQuery& query);

/// The posting lists of excluded keys: at least one.
using ExcludedTerms = std::vector<PostingList>;
/// Returns the sets whose keys are all in the index.
std::vector<ExcludedTerms> read_excluded(std::span<const ExcludedKeys> sets, const TermIndex& terms);

/// Keeps the order. REQUIRES: positions ascend.
void remove_excluded(std::vector<std::uint32_t>& positions, std::span<const ExcludedTerms> sets);
/// Clears excluded tracks in the bitmap words of `range`.
void remove_excluded(std::uint64_t* bits, const PositionRange& range, std::span<const ExcludedTerms> sets);

}  // namespace tonearm::catalog
