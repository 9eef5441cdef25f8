#pragma once
// Groups close vectors into shards and searches the nearest shards. Integers only.

#include <cstdint>
#include <span>
#include <vector>

#include "similar/neighbors_best.h"
#include "similar/neighbors_scan.h"
#include "similar/track_features.h"
#include "system/progress.h"

namespace tonearm::builder {

struct SearchOptions {
  /// The least number of vectors that are compared with one. With no more vectors than that, every pair is compared.
  std::size_t looked_at = 0;
  std::uint32_t threads = 1;
};

/// Tracks that may be neighbors of each other, in the order of their ids.
struct Pool {
  std::span<const Vector> vectors;
  std::span<const Traits> traits;
  const FeatureRows& rows;
};

/// For each track of the pool, in order, the indices of its neighbors (BUILD-4). The lists of tracks that are not
/// `wanted` stay empty. `guesses` has for each track others that may be near it, each once and the
/// likeliest first; they save time where every pair is compared. The result depends neither on them nor on the number
/// of threads. `progress` counts the tracks that are done.
std::vector<std::vector<std::uint32_t>> search_neighbors(const Pool& pool,
                                                         const std::vector<std::vector<std::uint32_t>>& guesses,
                                                         const std::vector<bool>& wanted, const SearchOptions& options,
                                                         native::Progress& progress);

}  // namespace tonearm::builder
