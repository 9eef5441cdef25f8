#pragma once
// `exclude` (SEARCH-10): removes tracks that contain all terms of any excluded set.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "catalog/index/bitmap.h"
#include "catalog/index/term_index.h"
#include "catalog/index/tokenizer.h"
#include "catalog/query/query_terms.h"

namespace tonearm::catalog {

/// Tokenizes each value of `exclude` into a term set. Values without words exclude nothing and are skipped.
std::vector<TermSet> excluded_term_sets(const std::vector<std::string>& texts, Tokenizer& tokenizer);

/// The posting lists of an excluded term set: at least one.
using ExcludedTerms = std::vector<PostingList>;
/// Returns the sets whose terms are all in the index.
std::vector<ExcludedTerms> read_excluded(std::span<const TermSet> sets, const TermIndex& terms);

/// Keeps the order. REQUIRES: positions ascend.
void remove_excluded(std::vector<std::uint32_t>& positions, std::span<const ExcludedTerms> sets);
/// Clears excluded tracks in the bitmap words of `range`.
void remove_excluded(std::uint64_t* bits, const PositionRange& range, std::span<const ExcludedTerms> sets);

}  // namespace tonearm::catalog
