#pragma once
// Clusters vectors into shards and searches the nearest shards. Integers only.

#include <cstdint>
#include <vector>

#include "similar/neighbors.h"
#include "similar/neighbors_scan.h"
#include "similar/pools.h"
#include "system/progress.h"

namespace tonearm::builder {

/// Calls `store` for each track of the pool that is not `given`. `vectors` describe its tracks; `given` and `guesses`
/// are those of compute_neighbors(). The lists depend neither on the guesses nor on the number of threads. `progress`
/// counts finished tracks. REQUIRES: options.threads > 0.
void search_neighbors(const Pool& pool, std::vector<Vector> vectors, const std::vector<bool>& given,
                      const NeighborGuesses& guesses, const NeighborOptions& options, native::Progress& progress,
                      const StoreNeighbors& store);

}  // namespace tonearm::builder
