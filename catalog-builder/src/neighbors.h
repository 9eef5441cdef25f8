#pragma once
// Similar tracks, by what the catalog says of them (tags, category, tempo, energy, tone, length, words). Integers
// only: the same tracks give the same lists on every processor.

#include <cstdint>
#include <vector>

#include "tonearm/track.h"

namespace tonearm::builder {

struct NeighborOptions {
  std::uint32_t count = 64;  // C10
  /// How many entries of the feature lists are looked at for one track. Up to about as many tracks every pair is
  /// compared in full; beyond, the commonest features only nominate a part of their tracks.
  std::uint32_t budget = 32'768;
};

/// Fills `neighbors` of every track that is not `given`: same kind, speech with speech only (C10.3), never itself or
/// what is taken down, closest first, equals by id; among the first ten at most three by one artist while others are
/// to be had.
void compute_neighbors(std::vector<Track>& tracks, const std::vector<bool>& given, const NeighborOptions& options = {});

}  // namespace tonearm::builder
