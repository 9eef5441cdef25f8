#pragma once
// Reads what similar tracks are computed from: each track once, in the order of the list.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "similar/feature_rows.h"
#include "similar/feature_words.h"
#include "similar/neighbor_collector.h"
#include "similar/neighbors.h"
#include "system/progress.h"
#include "tonearm/track_reader.h"

namespace tonearm::builder {

/// Tracks that may be neighbors of each other, in the order of their ids.
struct Pool {
  std::vector<std::uint32_t> members;  // indices into the list of tracks
  std::vector<Traits> traits;
  FeatureRows rows;
};
using Pools = std::array<Pool, kPoolCount>;  // by PoolId

/// `progress` counts tracks that were read.
Pools read_pools(const TrackReader& tracks, const WordTable& words, std::uint32_t threads, native::Progress& progress);

}  // namespace tonearm::builder
