#pragma once
// Clusters vectors into shards and searches the nearest shards. Integers only.

#include <cstdint>
#include <span>
#include <vector>

#include "similar/neighbor_collector.h"
#include "similar/neighbors_scan.h"
#include "similar/track_features.h"
#include "system/progress.h"

namespace tonearm::builder {

struct SearchOptions {
  /// Each vector is compared with at least so many others. If there are no more, every pair is compared.
  std::size_t compared_count = 0;
  std::uint32_t threads = 1;
};

/// Tracks that may be neighbors of each other, in the order of their ids.
struct Pool {
  std::span<const Vector> vectors;
  std::span<const Traits> traits;
  const FeatureRows& rows;
};

/// Returns the indices of each track's neighbors (BUILD-4). Lists of tracks that are not `wanted` stay empty. `guesses`
/// contains likely neighbors of each track, without duplicates, the likeliest first; they save time if every pair is
/// compared. The result depends neither on them nor on the number of threads. `progress` counts finished tracks.
std::vector<std::vector<std::uint32_t>> search_neighbors(const Pool& pool,
                                                         const std::vector<std::vector<std::uint32_t>>& guesses,
                                                         const std::vector<bool>& wanted, const SearchOptions& options,
                                                         native::Progress& progress);

}  // namespace tonearm::builder
