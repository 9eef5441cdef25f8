#pragma once
// Searches whose answers are compared with a plain scan of the tracks' JSON, for verify_snapshot. The scan shares with
// the query engine how a text is split into words, and nothing else.

#include "tonearm/catalog.h"
#include "tonearm/sqlite_snapshot.h"

namespace tonearm::catalog {

inline constexpr std::uint32_t kSampledSearches = 200;

/// The searches follow from the tracks: the same snapshot has the same. Totals and first pages are compared. Throws
/// Failure that names the first search that differs.
void check_sampled_searches(const SqliteSnapshot& snapshot, const Catalog& catalog);

}  // namespace tonearm::catalog
