#pragma once
// How tracks get their positions. Pure.

#include <cstdint>
#include <span>
#include <vector>

#include "catalog/index/layout.h"
#include "tonearm/track.h"

namespace tonearm::catalog {

struct Numbering {
  Layout layout;
  std::vector<std::uint32_t> track_at;     // index of the track at a position
  std::vector<std::uint32_t> position_of;  // position of the track with an index
};

/// By the partitions of Layout; in each by hash64 of the id, then by id.
Numbering number_tracks(std::span<const Track> tracks);

/// Positions of a track's neighbors, in their order, without what may not be there (LINE-6): itself, another
/// kind, tracks taken down, speech beside other effects, repeats. Empty for a track taken down.
std::vector<std::uint32_t> neighbor_positions(std::span<const Track> tracks, const Numbering& numbering,
                                              std::uint32_t index);

/// The order of a stored sort: first music, then effects, then tracks taken down; ties go by id (SORT-2). REQUIRES: one
/// of kStoredSorts.
bool sorts_before(Sort sort, const Columns& columns, const Layout& layout, std::uint32_t a, std::uint32_t b);

/// The rank of each position in a permutation.
std::vector<std::uint32_t> inverse_of(std::span<const std::uint32_t> permutation);

/// All columns of the tracks, by position.
OwnedColumns make_columns(std::span<const Track> tracks, const Numbering& numbering);

}  // namespace tonearm::catalog
