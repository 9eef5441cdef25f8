#pragma once
// `exclude` (SEARCH-10): tracks that hold all words of any of its phrases are left out.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "catalog/index/bitmap.h"
#include "catalog/index/term_index.h"
#include "catalog/index/tokenizer.h"
#include "catalog/query/query_terms.h"

namespace tonearm::catalog {

/// The words of each phrase; a phrase without any word excludes nothing, and is not among them.
std::vector<TermSet> excluded_terms(const std::vector<std::string>& phrases, Tokenizer& tokenizer);

/// The posting lists of the terms of a phrase: at least one.
using ExcludedTerms = std::vector<PostingList>;
/// Those that some track holds.
std::vector<ExcludedTerms> read_excluded(std::span<const TermSet> phrases, const TermIndex& terms);

/// Keeps the order. REQUIRES: positions ascend.
void remove_excluded(std::vector<std::uint32_t>& positions, std::span<const ExcludedTerms> phrases);
/// From the bitmap words of `range`.
void remove_excluded(std::uint64_t* bits, const PositionRange& range, std::span<const ExcludedTerms> phrases);

}  // namespace tonearm::catalog
