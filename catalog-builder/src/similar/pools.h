#pragma once
// Reads what similar tracks are computed from: each track once, in the order of the list.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "similar/feature_rows.h"
#include "similar/neighbor_collector.h"
#include "similar/neighbors.h"
#include "similar/pool_digest.h"
#include "system/progress.h"
#include "tonearm/track_reader.h"

namespace tonearm::builder {

/// Tracks that a thread processes at a time.
inline constexpr std::size_t kBlockTracks = 1'024;

/// Tracks that may be neighbors of each other, in the order of their ids.
struct Pool {
  PoolDigest digest;
  std::vector<std::uint32_t> members;  // indices into the list of tracks
  std::vector<Traits> traits;
  FeatureRows rows;
};
using Pools = std::array<Pool, kPoolCount>;  // by PoolId

/// Reads the tracks; the lists of `given` ones are not computed. `progress` counts tracks that were read. REQUIRES:
/// options.threads > 0.
Pools read_pools(const TrackReader& tracks, const std::vector<bool>& given, const NeighborOptions& options,
                 Hashing& hashing, native::Progress& progress);

}  // namespace tonearm::builder
