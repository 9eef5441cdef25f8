#pragma once
// Computes similar tracks from tags, category, tempo, energy, tone, length and words. Integers only: the same tracks
// give the same lists on every processor, in any order of input, with any number of threads.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "input/thesaurus.h"
#include "system/progress.h"
#include "tonearm/track.h"
#include "tonearm/track_reader.h"

namespace tonearm::builder {

struct NeighborOptions {
  /// How many tracks are compared with each track. Kinds with at most so many tracks compare every pair; larger ones
  /// compare only the likeliest candidates, so time grows linearly.
  std::uint32_t compared_count = 1'048'576;
  std::uint32_t threads = 0;  // 0: the number of processors
  /// Relates the words of effects; nullptr: none.
  const Thesaurus* thesaurus = nullptr;
};

/// Tracks of one pool may be neighbors.
enum class PoolId : std::uint8_t { music, effects, speech };
inline constexpr std::size_t kPoolCount = 3;
/// Returns nothing for a track that is taken down: it is no neighbor and has none (LINE-6).
std::optional<PoolId> pool_of(const Track& track);

/// For each track, the indices of likely neighbors, the likeliest first. Right guesses save time; wrong ones change no
/// list.
using NeighborGuesses = std::vector<std::vector<std::uint32_t>>;

/// Whether guesses for the tracks of a pool are used; otherwise they are ignored.
constexpr bool uses_guesses(std::size_t pool_size, const NeighborOptions& options = {}) {
  return pool_size <= options.compared_count;
}

/// Stores the neighbors of one track. Called by one thread at a time, in any order of tracks.
using StoreNeighbors = std::function<void(std::uint32_t index, std::span<const std::uint32_t> neighbors)>;

/// Calls `store` once for every track that is not `given` and not taken down, with up to 64 tracks of the same kind,
/// the nearest 20 commercial ones and the nearest 20 that need no credit, in one order of similarity; ids break ties
/// (BUILD-4). All share a feature with it. Speech is similar only to speech, and no track to itself or to a taken-down
/// one (LINE-6). Reads each track once, and all of them before it calls `store`. `progress` counts finished tracks.
/// Rethrows exceptions of `tracks` and `store`. REQUIRES: `guesses` is empty or has a list for each track.
void compute_neighbors(const TrackReader& tracks, const std::vector<bool>& given, const NeighborGuesses& guesses,
                       const NeighborOptions& options, native::Progress& progress, const StoreNeighbors& store);

}  // namespace tonearm::builder
