#pragma once
// A page of scored tracks: the best score first, ties by id (C4.5). Where the file does not lie in memory the ids are
// far away: no more of them are read than it takes to tell which tracks of a tie come onto the page.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "catalog/layout.h"
#include "catalog/postings.h"
#include "catalog/track_store.h"

namespace tonearm::catalog {

struct PageRange {
  std::uint64_t offset = 0;
  std::uint64_t limit = 0;
};

struct Scored {
  std::uint32_t score = 0;
  std::uint32_t position = 0;
};

/// Score and rank of a track in one number: the greater comes first.
struct Keyed {
  std::uint64_t key = 0;
  std::uint32_t position = 0;
};
constexpr std::uint64_t rank_key(std::uint32_t score, std::uint32_t rank) {
  return std::uint64_t{score} << 32U | ~rank;
}
/// The page of what comes with unique keys, the greatest first: only the page itself gets sorted.
std::vector<std::uint32_t> page_by_key(std::vector<Keyed>& keyed, const PageRange& page);

/// Which of several tracks come first by their ids. Refers to the snapshot.
class IdOrder {
 public:
  IdOrder(const Columns& columns, const TrackStore& tracks) : ids_(columns.ids), tracks_(tracks) {}

  /// Whether ranks cost no more than memory.
  bool is_near() const { return ids_.ranks.is_in_memory(); }
  /// The place of a track's id among all ids. REQUIRES: there is such a track.
  std::uint32_t rank(std::uint32_t position) const { return ids_.ranks[position]; }
  /// Ranks that stand beside a list's members. REQUIRES: the list outlives the object.
  void add_list(const Posting& list) { lists_.push_back(&list); }

  /// Whether `part` reads the tracks themselves to tell which `wanted` of `count` come first.
  static bool reads_tracks(std::size_t count, std::size_t wanted);
  /// Those of the tracks that stand from number `begin` to before `end` in the order of ids. REQUIRES: positions rise;
  /// begin <= end <= how many they are.
  std::vector<std::uint32_t> part(const std::vector<std::uint32_t>& positions, std::size_t begin,
                                  std::size_t end) const;
  /// These tracks will be read soon.
  void expect_tracks(std::span<const std::uint32_t> positions) const { tracks_.expect(positions); }

 private:
  using Positions = std::vector<std::uint32_t>;

  std::optional<std::uint32_t> rank_beside(std::uint32_t position) const;
  /// The first `end` of them as the order of all ids meets them; nothing where they stand late in it.
  std::optional<Positions> by_walk(const Positions& positions, std::size_t end) const;

  const Order& ids_;
  const TrackStore& tracks_;
  std::vector<const Posting*> lists_;
};

/// REQUIRES: `scored` has each track once, and all that come onto the page or before it.
std::vector<std::uint32_t> page_of_scored(std::vector<Scored> scored, const PageRange& page, const IdOrder& ids);
/// The same from afar, where `lowest` rise and come behind all of `scored`, for one score.
std::vector<std::uint32_t> page_of_ties(std::vector<Scored> scored, const std::vector<std::uint32_t>& lowest,
                                        const PageRange& page, const IdOrder& ids);

}  // namespace tonearm::catalog
