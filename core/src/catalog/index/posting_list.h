#pragma once
// Posting lists: the tracks that contain a term or have the value of a facet (docs/snapshot-format.md). Reading checks
// that all of a list is inside its section; its numbers are checked where they are used.

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "catalog/index/bitmap.h"
#include "catalog/index/layout.h"
#include "catalog/storage/sections.h"

namespace tonearm::catalog {

/// With more than one track in 32 a bitmap takes no more space than a list.
constexpr bool is_dense(std::uint32_t count, std::uint32_t size) { return std::uint64_t{count} * 32 > size; }

/// A term with a bitmap also stores so many of its best tracks in order, for each partition (music, effects, speech):
/// as many as anyone turns pages.
inline constexpr std::uint32_t kBestKept = 10'240;

enum class PostingKind : std::uint8_t { facet, text };

/// Where a posting list is, and how many of its tracks are in each partition: what an entry says of its term. As the
/// section `tag_terms` stores it.
struct PostingPlace {
  std::uint64_t offset = 0;  // in the section `postings`
  std::array<std::uint32_t, 3> counts{};
  std::uint32_t zero = 0;
};
static_assert(sizeof(PostingPlace) == 24);

/// A view into the snapshot. That of a facet's value has neither ranks nor block_max nor impacts.
struct PostingList {
  std::array<std::uint32_t, 3> counts{};  // among music, effects, speech
  std::uint32_t count = 0;                // of all three
  bool dense = false;
  std::span<const std::uint32_t> positions;  // of a list: ascending
  std::span<const std::uint64_t> bits;       // of a bitmap
  Array<std::uint32_t> ranks;                // of a term's bitmap: members before each bitmap word
  Array<std::uint8_t> block_max;             // of a term's bitmap: the highest impact in each bitmap word
  Array<std::uint32_t> tie_ranks;            // of a term's list: each member's rank in the order of ties
  Array<std::uint8_t> impacts;               // 1..255 (query/score.h), one for each member
  /// Of a term's bitmap: at most kBestKept members of each partition, the highest impact first, then by the order of
  /// ties.
  std::array<Array<std::uint32_t>, 3> best;

  /// Makes what scoring reads contiguous in memory, as long as SnapshotFile::bytes says.
  void load() {
    ranks = ranks.all();
    block_max = block_max.all();
    impacts = impacts.all();
  }
  /// The impact of the member with this index. Throws if there is none.
  std::uint8_t impact_at(std::size_t member) const {
    if (member >= impacts.size()) damaged("a posting list has too few impacts");
    return impacts[member];
  }
};

/// Finds positions in a sorted list; they must be asked for in ascending order.
class ListCursor {
 public:
  explicit ListCursor(std::span<const std::uint32_t> list) : list_(list) {}

  /// Advances to the first member that is not less than `position`; true: it is this one.
  bool find(std::uint32_t position) {
    // If most members are asked for, it is this one or the next.
    if (at_ < list_.size() && list_[at_] < position) ++at_;
    if (at_ == list_.size() || list_[at_] >= position) return at_ < list_.size() && list_[at_] == position;
    // Galloping search: near members cost little, distant ones their logarithm.
    std::size_t step = 1;
    while (at_ + step < list_.size() && list_[at_ + step] < position) step *= 2;
    const auto end = list_.begin() + static_cast<std::ptrdiff_t>(std::min(at_ + step + 1, list_.size()));
    const auto found = std::lower_bound(list_.begin() + static_cast<std::ptrdiff_t>(at_), end, position);
    at_ = static_cast<std::size_t>(found - list_.begin());
    return at_ < list_.size() && list_[at_] == position;
  }
  std::size_t at() const { return at_; }

 private:
  std::span<const std::uint32_t> list_;
  std::size_t at_ = 0;
};

/// How many of the sorted `positions` are in each partition (music, effects, speech). REQUIRES: all of them are.
std::array<std::uint32_t, 3> count_partitions(std::span<const std::uint32_t> positions, const Layout& layout);

/// The best tracks of a term's bitmap come first; the offset in its entry points after them. Impacts: one for each
/// position, or none for a facet. `tie_rank`: by position, orders equal impacts.
std::string encode_posting_list(std::span<const std::uint32_t> positions, std::span<const std::uint8_t> impacts,
                                const Layout& layout, std::span<const std::uint32_t> tie_rank);
/// Of the members with indexes from `begin` to before `end`, the best first, at most kBestKept.
std::vector<std::uint32_t> best_members(std::span<const std::uint32_t> positions, std::span<const std::uint8_t> impacts,
                                        std::size_t begin, std::size_t end, std::span<const std::uint32_t> tie_rank);
/// How many bytes of best tracks precede the bits of a term's bitmap; 0 for any other posting list.
std::uint64_t best_size(const std::array<std::uint32_t, 3>& counts, PostingKind kind, std::uint32_t size);
/// Of a term's bitmap: best tracks and bits; or bits and what scoring reads; or all.
enum class PostingParts : std::uint8_t { best, scores, all };
/// Where a posting list, or those parts of it, are in the section. `offset`: as in `decode_posting_list`.
FileRange posting_list_range(std::uint64_t offset, const std::array<std::uint32_t, 3>& counts, PostingKind kind,
                             std::uint32_t size, PostingParts parts);
/// `offset` into the section, where the bits of a bitmap start; `counts` from the term's entry. Throws Failure.
PostingList decode_posting_list(const Extent& section, std::uint64_t offset, const std::array<std::uint32_t, 3>& counts,
                                PostingKind kind, std::uint32_t size);

/// A list as a bitmap, in memory of its own.
class DenseCopy {
 public:
  /// Positions at or above `end` are left out. REQUIRES: `list` is a list.
  DenseCopy(const PostingList& list, std::uint32_t end);
  const PostingList& posting_list() const { return posting_; }

 private:
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint32_t> ranks_;
  std::vector<std::uint8_t> block_max_;
  PostingList posting_;
};

}  // namespace tonearm::catalog
