#pragma once
// Compares the results of searches with a plain scan of the tracks' JSON, for verify_snapshot. The scan shares only the
// tokenizer with the query engine. Compares the totals of completions with searches.

#include "tonearm/catalog.h"
#include "tonearm/sqlite_snapshot.h"

namespace tonearm::catalog {

inline constexpr std::uint32_t kSampledSearches = 200;

/// Derives the searches from the tracks, so that a snapshot always has the same ones. Compares totals and first pages.
/// Throws CatalogDamaged that names the first search that differs.
void check_sampled_searches(const SqliteSnapshot& snapshot, const Catalog& catalog);

inline constexpr std::size_t kSampledCompletions = 1'000;  // of each kind

/// Compares the totals of completions, spread over the section, with searches for their texts. Throws CatalogDamaged
/// that names the first text that differs.
void check_sampled_completions(const SqliteSnapshot& snapshot, const Catalog& catalog);

}  // namespace tonearm::catalog
