#pragma once
// Similar tracks, by what the catalog says of them (tags, category, tempo, energy, tone, length, words). Integers
// only: the same tracks give the same lists on every processor, in any order of input and with any number of threads.

#include <cstdint>
#include <vector>

#include "progress.h"
#include "tonearm/track.h"

namespace tonearm::builder {

struct NeighborOptions {
  /// How many tracks are looked at for one. Up to so many of a kind every pair is compared; of more, those that are
  /// likeliest to be near, so that from there on time is linear in tracks.
  std::uint32_t looked_at = 1'048'576;
  std::uint32_t threads = 0;  // 0: as many as the machine runs at once
};

/// Fills `neighbors` of every track that is not `given`, with 64 where there are so many: same kind, speech with speech
/// only (C10.3), never itself or what is taken down, closest first, equals by id; among the first ten at most three
/// by one artist while others are to be had. `progress` is told what is done.
void compute_neighbors(std::vector<Track>& tracks, const std::vector<bool>& given, const NeighborOptions& options,
                       Progress& progress);
void compute_neighbors(std::vector<Track>& tracks, const std::vector<bool>& given, const NeighborOptions& options = {});

}  // namespace tonearm::builder
