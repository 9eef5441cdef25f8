#pragma once
// Clusters vectors into shards and searches the nearest shards. Integers only.

#include <cstdint>
#include <vector>

#include "similar/neighbors.h"
#include "similar/neighbors_scan.h"
#include "similar/pools.h"
#include "system/progress.h"

namespace tonearm::builder {

/// What is known of the lists of a pool before the search.
struct KnownLists {
  const EarlierNeighbors* earlier = nullptr;  // nullptr: nothing is known
  /// By member, the terms for which the lists are right; empty: the lists are guesses.
  std::vector<std::uint8_t> terms = {};
};

/// Calls `store` for each track of the pool that is not `given`. `vectors` describe its tracks; `given` is that of
/// compute_neighbors(). The lists depend neither on what is known nor on the number of threads. `progress` counts
/// finished tracks. REQUIRES: options.threads > 0.
void search_neighbors(const Pool& pool, std::vector<Vector> vectors, const std::vector<bool>& given, KnownLists known,
                      const NeighborOptions& options, native::Progress& progress, const StoreNeighbors& store);

}  // namespace tonearm::builder
