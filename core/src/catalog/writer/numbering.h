#pragma once
// Numbers the tracks, collects their columns and sorts the stored orders.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "catalog/index/layout.h"
#include "domain/variants.h"
#include "tonearm/track_reader.h"

namespace tonearm::catalog {

struct Numbering {
  Layout layout;
  std::vector<std::uint32_t> track_at;     // by position: the index of the track
  std::vector<std::uint32_t> position_of;  // by index: the position of the track
  std::vector<std::uint32_t> id_rank;      // by position: the rank of the id among all ids by bytes
  std::vector<std::uint64_t> id_hash;      // by position: hash64 of the id
};

/// Numbers tracks by the partitions of Layout, inside each by hash64 of the id, then by id.
Numbering number_tracks(const TrackReader& tracks);

/// Returns the positions of a track's neighbors in their order. Omits invalid ones (LINE-6): the track itself, another
/// kind, tracks taken down, speech beside other effects, repeats. Empty for a track taken down.
std::vector<std::uint32_t> neighbor_positions(const Track& track, std::uint32_t position, const Numbering& numbering);

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

/// Collects the columns while tracks are added by position.
class ColumnsBuilder {
 public:
  explicit ColumnsBuilder(const Numbering& numbering) : numbering_(numbering) {}

  void add(const Track& track);
  /// Returns all columns but the stored orders. REQUIRES: all tracks were added. Called once.
  OwnedColumns finish();
  /// Returns the order of a stored sort. `columns`: what `finish` returned.
  std::vector<std::uint32_t> order_of(Sort sort, const OwnedColumns& columns) const;
  /// By position: the rank of the creator, by the ranks of their folded names; kNoCreator for tracks without one.
  /// REQUIRES: `ranks` has each of the names.
  std::vector<std::uint32_t> creators(const std::map<std::string, std::uint32_t>& ranks) const;

 private:
  std::vector<std::uint32_t> turns() const;

  const Numbering& numbering_;
  OwnedColumns columns_;
  FamilyFinder families_;
  std::vector<std::uint32_t> published_;                    // day numbers
  std::unordered_map<std::string, std::uint32_t> artists_;  // numbers by folded name
  /// kNoCreator for tracks without one, and for tracks taken down, which are in no search.
  std::vector<std::uint32_t> artist_of_;
};

}  // namespace tonearm::catalog
