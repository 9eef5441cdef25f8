#pragma once
// How tracks get their positions, and the orders that are stored. Pure.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "catalog/index/layout.h"
#include "tonearm/track.h"

namespace tonearm::catalog {

struct Numbering {
  Layout layout;
  std::vector<std::uint32_t> track_at;     // index of the track at a position
  std::vector<std::uint32_t> position_of;  // position of the track with an index
  std::vector<std::uint32_t> id_rank;      // by position: the rank of the id among all ids as bytes
};

/// By the partitions of Layout; in each by hash64 of the id, then by id.
Numbering number_tracks(std::span<const Track> tracks);

/// Positions of a track's neighbors, in their order, without what may not be there (LINE-6): itself, another
/// kind, tracks taken down, speech beside other effects, repeats. Empty for a track taken down.
std::vector<std::uint32_t> neighbor_positions(std::span<const Track> tracks, const Numbering& numbering,
                                              std::uint32_t index);

/// The order of a stored sort: first music, then effects, then tracks taken down; ties go by id (SORT-2), whose ranks
/// are `id_rank`. REQUIRES: one of kStoredSorts.
bool sorts_before(Sort sort, const Columns& columns, const Layout& layout, std::span<const std::uint32_t> id_rank,
                  std::uint32_t a, std::uint32_t b);

/// Gives each of an artist's tracks its turn: 0 to the one of the best quality, equals by id (SORT-6). REQUIRES:
/// `turns` has all positions.
void take_turns(std::vector<std::uint32_t> of_artist, std::span<const std::uint16_t> quality,
                std::span<const std::uint32_t> id_rank, std::vector<std::uint32_t>& turns);
/// Whether the order of ties has `a` before `b`: by turn, then by id.
inline bool ties_before(std::span<const std::uint32_t> turns, std::span<const std::uint32_t> id_rank, std::uint32_t a,
                        std::uint32_t b) {
  return std::pair(turns[a], id_rank[a]) < std::pair(turns[b], id_rank[b]);
}

/// The rank of each position in a permutation.
std::vector<std::uint32_t> inverse_of(std::span<const std::uint32_t> permutation);

/// All columns of the tracks, by position.
OwnedColumns make_columns(std::span<const Track> tracks, const Numbering& numbering);

}  // namespace tonearm::catalog
