#pragma once
// Similar tracks, by what the catalog says about them (tags, category, tempo, energy, tone, length, words). Integers
// only: the same tracks give the same lists on every processor, in any order of input, with any number of threads.

#include <cstdint>
#include <vector>

#include "system/progress.h"
#include "tonearm/track.h"

namespace tonearm::builder {

struct NeighborOptions {
  /// How many tracks are compared with one. Up to so many of a kind, every pair is compared; beyond that only the
  /// tracks that are most likely near, so time grows linearly.
  std::uint32_t looked_at = 1'048'576;
  std::uint32_t threads = 0;  // 0: as many as the machine runs at once
};

/// For each track, others that may be near it, as indices, the likeliest first. Right guesses save time; no guess,
/// right or wrong, changes a list.
using NeighborGuesses = std::vector<std::vector<std::uint32_t>>;

/// Fills `neighbors` of every track that is not `given` with up to 64 tracks of the same kind, the nearest 20
/// commercial ones and the nearest 20 that need no credit, all in one order of likeness, equals by id (BUILD-4). All
/// share a feature with it. Speech is similar only to speech, and never a track to itself or to one that was taken down
/// (LINE-6). `progress` counts what is done. REQUIRES: `guesses` is empty or has a list for each track.
void compute_neighbors(std::vector<Track>& tracks, const std::vector<bool>& given, const NeighborGuesses& guesses,
                       const NeighborOptions& options, native::Progress& progress);
void compute_neighbors(std::vector<Track>& tracks, const std::vector<bool>& given, const NeighborOptions& options = {});

}  // namespace tonearm::builder
