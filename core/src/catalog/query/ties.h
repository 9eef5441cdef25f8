#pragma once
// A page of scored tracks: the best score first, equal ones by the artist's turn and by id (SORT-6). Which tracks tie
// is known only after scoring, so what tells their order is a read of its own: resident ranks, or as little of a remote
// file as decides which tracks of a tie come onto the page.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "catalog/query/fetch.h"

namespace tonearm::catalog {

struct PageRange {
  std::uint64_t offset = 0;
  std::uint64_t limit = 0;
};

struct Scored {
  std::uint32_t score = 0;
  std::uint32_t position = 0;
};

/// A track and what it is sorted by, which is unique.
struct Keyed {
  std::uint64_t key = 0;
  std::uint32_t position = 0;
};
/// The positions from index `begin` to before `end` in the order of the keys: only these get sorted. REQUIRES: begin <=
/// end
/// <= the number of keys.
std::vector<std::uint32_t> positions_by_key(std::vector<Keyed>& keyed, std::size_t begin, std::size_t end);

/// The stored order of tracks that rank equal. Refers to the snapshot.
class TieOrder {
 public:
  TieOrder(const Index& index, const Fetcher& fetcher) : index_(index), fetcher_(fetcher) {}

  /// The list stores the ranks of its members. REQUIRES: it outlives the object.
  void add_list(const PostingList& list) { lists_.push_back(&list); }

  /// Whether `part` reads the tracks themselves to decide which `wanted` of `count` come first.
  bool reads_tracks(std::size_t count, std::size_t wanted) const;
  /// Those of the positions with indexes from `begin` to before `end` in that order. REQUIRES: begin <= end <= the
  /// number of positions.
  std::vector<std::uint32_t> sorted_slice(std::span<const std::uint32_t> positions, std::size_t begin,
                                          std::size_t end) const;
  /// Fetches tracks that `part` and the page will read.
  void fetch_tracks(std::span<const std::uint32_t> positions) const { fetcher_.tracks(positions); }
  bool is_remote() const { return fetcher_.is_remote(); }

 private:
  using Positions = std::vector<std::uint32_t>;

  /// REQUIRES: the positions ascend.
  Positions remote_slice(std::span<const std::uint32_t> positions, std::size_t begin, std::size_t end) const;
  std::optional<std::uint32_t> rank_in_lists(std::uint32_t position) const;
  /// The first `end` of them as a walk through the whole order meets them; nothing if they come late in it.
  std::optional<Positions> walk_order(std::span<const std::uint32_t> positions, std::size_t end) const;

  const Index& index_;
  const Fetcher& fetcher_;
  std::vector<const PostingList*> lists_;
};

/// The page of all tracks in `scored` and in `lowest`, which have one score below all others. REQUIRES: each track is
/// there once, and all that come onto the page or before it.
std::vector<std::uint32_t> page_of_scored(std::vector<Scored> scored, const std::vector<std::uint32_t>& lowest,
                                          const PageRange& page, const TieOrder& order);

}  // namespace tonearm::catalog
