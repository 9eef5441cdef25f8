#pragma once
// Numbers the tracks and sorts the stored orders. Pure.

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "catalog/index/layout.h"
#include "tonearm/track.h"

namespace tonearm::catalog {

struct Numbering {
  Layout layout;
  std::vector<std::uint32_t> track_at;     // by position: the index of the track
  std::vector<std::uint32_t> position_of;  // by index: the position of the track
  std::vector<std::uint32_t> id_rank;      // by position: the rank of the id among all ids by bytes
};

/// Numbers tracks by the partitions of Layout, inside each by hash64 of the id, then by id.
Numbering number_tracks(std::span<const Track> tracks);

/// Returns the positions of a track's neighbors in their order. Omits invalid ones (LINE-6): the track itself, another
/// kind, tracks taken down, speech beside other effects, repeats. Empty for a track taken down.
std::vector<std::uint32_t> neighbor_positions(std::span<const Track> tracks, const Numbering& numbering,
                                              std::uint32_t index);

/// Returns the day of a date as a number that ascends with time ("2024-05-01": 20240501), or 0 without a date.
std::uint32_t day_number(std::string_view date);

/// What the stored sorts compare, by position.
struct SortKeys {
  const Columns& columns;
  std::span<const std::uint32_t> published;  // day numbers
  std::span<const std::uint32_t> id_rank;
};
/// The order of a stored sort: first music, then effects, then tracks taken down; ties by `id_rank` (SORT-2). REQUIRES:
/// `sort` is one of kStoredSorts.
bool sorts_before(Sort sort, const SortKeys& keys, const Layout& layout, std::uint32_t a, std::uint32_t b);

/// Numbers an artist's tracks: turn 0 for the best quality, equal ones by id (SORT-6). REQUIRES: `turns` has all
/// positions.
void assign_turns(std::vector<std::uint32_t> of_artist, std::span<const std::uint16_t> quality,
                  std::span<const std::uint32_t> id_rank, std::vector<std::uint32_t>& turns);
/// The order of ties: by turn, then by id.
inline bool ties_before(std::span<const std::uint32_t> turns, std::span<const std::uint32_t> id_rank, std::uint32_t a,
                        std::uint32_t b) {
  return std::pair(turns[a], id_rank[a]) < std::pair(turns[b], id_rank[b]);
}

/// Returns the rank of each position in a permutation.
std::vector<std::uint32_t> inverse_of(std::span<const std::uint32_t> permutation);

/// Returns all columns, by position.
OwnedColumns make_columns(std::span<const Track> tracks, const Numbering& numbering);

}  // namespace tonearm::catalog
