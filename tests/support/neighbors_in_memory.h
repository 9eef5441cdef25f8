#pragma once
// Computes the neighbors of tracks in memory.

#include <span>
#include <vector>

#include "similar/neighbors.h"
#include "system/system_ports.h"

namespace tonearm::builder {

/// Appends the lists to `neighbors` of the tracks.
inline PoolDigests compute_neighbors(std::vector<Track>& tracks, const std::vector<bool>& given,
                                     const NeighborOptions& options = {}, const EarlierNeighbors* earlier = nullptr) {
  native::Progress silent;
  native::OpensslHashing hashing;
  return compute_neighbors(TracksInMemory(tracks), given, earlier, options, hashing, silent,
                           [&](std::uint32_t index, std::span<const std::uint32_t> neighbors) {
                             auto& list = tracks[index].neighbors;
                             list.insert(list.end(), neighbors.begin(), neighbors.end());
                           });
}

}  // namespace tonearm::builder
