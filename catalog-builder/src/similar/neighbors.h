#pragma once
// Computes similar tracks from tags, category, tempo, energy, tone, length and words. Integers only: the same tracks
// give the same lists on every processor, in any order of input, with any number of threads.

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "input/thesaurus.h"
#include "similar/pool_digest.h"
#include "system/progress.h"
#include "tonearm/ports.h"
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

/// Whether every pair of the tracks of a pool is compared.
constexpr bool compares_every_pair(std::size_t pool_size, const NeighborOptions& options = {}) {
  return pool_size <= options.compared_count;
}

/// The similar tracks of an earlier build (BUILD-25). Tracks are named by their indices in this build. Safe from any
/// thread.
class EarlierNeighbors {
 public:
  virtual ~EarlierNeighbors() = default;

  /// Returns the digest of a pool that the earlier build states, or one that no pool has.
  virtual PoolDigest digest(PoolId pool) const = 0;
  /// Whether the earlier snapshot is undamaged. Reads all of it. No other call may run meanwhile.
  virtual bool is_intact() const = 0;
  /// Throws Failure if the file was written to since it was opened.
  virtual void check_unchanged() const = 0;
  /// Returns the position of the track in the earlier snapshot. Tracks are read fastest in the order of positions.
  virtual std::uint32_t position(std::uint32_t index) const = 0;
  /// Returns the neighbors that the track had, without tracks that this build lacks. Throws Failure if they cannot be
  /// read.
  virtual std::vector<std::uint32_t> list(std::uint32_t index) const = 0;
  /// As `list`, but empty if they cannot be read.
  virtual std::vector<std::uint32_t> guess(std::uint32_t index) const = 0;
  /// Returns the terms that the track had (Traits::terms), or nothing if they cannot be read.
  virtual std::optional<std::uint8_t> terms(std::uint32_t index) const = 0;
};

using PoolDigests = std::array<PoolDigest, kPoolCount>;  // by PoolId; empty ones of empty pools

/// Stores the neighbors of one track. Called by one thread at a time, in any order of tracks.
using StoreNeighbors = std::function<void(std::uint32_t index, std::span<const std::uint32_t> neighbors)>;

/// Calls `store` once for every track that is not `given` and not taken down, with up to 64 tracks of the same kind,
/// the nearest 20 commercial ones and the nearest 20 that need no credit, in one order of similarity; ids break ties
/// (BUILD-4). All share a feature with it. Speech is similar only to speech, and no track to itself or to a taken-down
/// one (LINE-6). Reads each track once, and all of them before it calls `store`. `progress` counts finished tracks.
/// Returns the digests of the pools.
///
/// `earlier` may be nullptr. Lists of an intact earlier snapshot are kept if they were computed from the same data, or
/// updated if only the terms of few tracks differ; others are guesses. The lists are the same without it. Throws
/// Failure if the earlier snapshot changes while lists are kept. Rethrows exceptions of `tracks` and `store`.
PoolDigests compute_neighbors(const TrackReader& tracks, const std::vector<bool>& given,
                              const EarlierNeighbors* earlier, const NeighborOptions& options, Hashing& hashing,
                              native::Progress& progress, const StoreNeighbors& store);

}  // namespace tonearm::builder
