#pragma once
// Computes the neighbors of tracks in memory.

#include <span>
#include <vector>

#include "similar/neighbors.h"

namespace tonearm::builder {

/// Appends the lists to `neighbors` of the tracks.
inline void compute_neighbors(std::vector<Track>& tracks, const std::vector<bool>& given,
                              const NeighborGuesses& guesses, const NeighborOptions& options,
                              native::Progress& progress) {
  compute_neighbors(TracksInMemory(tracks), given, guesses, options, progress,
                    [&](std::uint32_t index, std::span<const std::uint32_t> neighbors) {
                      auto& list = tracks[index].neighbors;
                      list.insert(list.end(), neighbors.begin(), neighbors.end());
                    });
}

inline void compute_neighbors(std::vector<Track>& tracks, const std::vector<bool>& given,
                              const NeighborOptions& options = {}) {
  native::Progress silent;
  compute_neighbors(tracks, given, {}, options, silent);
}

}  // namespace tonearm::builder
