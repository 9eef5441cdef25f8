#pragma once
// Returns a page of scored tracks: best score first, equal scores by the artist's turn, then by id (SORT-6). Ties are
// known only after scoring, so their order needs a separate read: resident ranks, or the smallest part of a remote file
// that decides which tied tracks are on the page.

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

/// A track and its sort key, which is unique.
struct Keyed {
  std::uint64_t key = 0;
  std::uint32_t position = 0;
};
/// Returns the positions with indexes in [begin, end) by their keys; sorts only these. REQUIRES: begin <= end <= the
/// number of keys.
std::vector<std::uint32_t> positions_by_key(std::vector<Keyed>& keyed, std::size_t begin, std::size_t end);

/// Whether a page is in order, or only a set of tracks. A set reads no tracks.
enum class PageKind : std::uint8_t { ordered, set };

/// The stored order of tracks with equal scores. Refers to the snapshot.
class TieOrder {
 public:
  TieOrder(const Index& index, const Fetcher& fetcher, PageKind kind = PageKind::ordered)
      : index_(index), fetcher_(fetcher), kind_(kind) {}

  /// Adds a list that stores the tie ranks of its members. REQUIRES: it outlives the object.
  void add_list(const PostingList& list) { lists_.push_back(&list); }

  /// Whether `sorted_slice` reads the tracks themselves to decide which `wanted` of `count` are first.
  bool reads_tracks(std::size_t count, std::size_t wanted) const;
  /// Sorts the positions by this order and returns those with indexes in [begin, end). REQUIRES: begin <= end <= the
  /// number of positions.
  std::vector<std::uint32_t> sorted_slice(std::span<const std::uint32_t> positions, std::size_t begin,
                                          std::size_t end) const;
  /// Fetches tracks that `sorted_slice` and the page will read.
  void fetch_tracks(std::span<const std::uint32_t> positions) const { fetcher_.tracks(positions); }
  bool is_remote() const { return fetcher_.is_remote(); }
  PageKind page_kind() const { return kind_; }

 private:
  using Positions = std::vector<std::uint32_t>;

  /// REQUIRES: the positions ascend.
  Positions remote_slice(std::span<const std::uint32_t> positions, std::size_t begin, std::size_t end) const;
  std::optional<std::uint32_t> rank_in_lists(std::uint32_t position) const;
  /// Returns nothing if one of the tracks is in no list.
  std::optional<std::vector<Keyed>> ranks_in_lists(std::span<const std::uint32_t> positions) const;
  /// Walks through the whole order and returns the first `end` of the positions; nothing if they are too late in it.
  std::optional<Positions> walk_order(std::span<const std::uint32_t> positions, std::size_t end) const;

  const Index& index_;
  const Fetcher& fetcher_;
  PageKind kind_;
  std::vector<const PostingList*> lists_;
};

/// Returns the page of all tracks in `scored` and `lowest`; `lowest` have one score, which is below all others. The
/// page is of the order's kind. REQUIRES: each track occurs once, and all tracks up to the end of the page are
/// included.
std::vector<std::uint32_t> page_of_scored(std::vector<Scored> scored, const std::vector<std::uint32_t>& lowest,
                                          const PageRange& page, const TieOrder& order);

}  // namespace tonearm::catalog
