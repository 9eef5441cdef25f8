#pragma once
// Posting lists: the tracks that contain a term or have a value of a facet (docs/snapshot-format.md). Reading checks
// that a list is inside its section; its numbers are checked where they are used.

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "catalog/index/bitmap.h"
#include "catalog/index/layout.h"
#include "catalog/storage/sections.h"

namespace tonearm::catalog {

/// If more than one track in 32 is a member, a bitmap is not larger than a list.
constexpr bool is_dense(std::uint32_t count, std::uint32_t size) { return std::uint64_t{count} * 32 > size; }

/// A term with a bitmap also stores its best tracks for each partition (music, effects, speech), up to this number:
/// more than the offset of a page may reach.
inline constexpr std::uint32_t kBestStored = 10'240;

enum class PostingKind : std::uint8_t { facet, text };

/// The location of a posting list and its number of tracks in each partition. An element of the section `tag_terms`.
struct PostingLocation {
  std::uint64_t offset = 0;  // in the section `postings`
  std::array<std::uint32_t, 3> counts{};
  std::uint32_t zero = 0;

  friend bool operator==(const PostingLocation&, const PostingLocation&) = default;
};
static_assert(sizeof(PostingLocation) == 24);

/// A view into the snapshot. A posting list of a facet has no ranks, block_max or impacts.
struct PostingList {
  std::array<std::uint32_t, 3> counts{};  // among music, effects, speech
  std::uint32_t count = 0;                // the sum of `counts`
  bool dense = false;
  std::span<const std::uint32_t> positions;  // list: ascending
  std::span<const std::uint64_t> bits;       // bitmap
  Array<std::uint32_t> ranks;                // bitmap of a term: the number of members before each bitmap word
  Array<std::uint8_t> block_max;             // bitmap of a term: the highest impact in each bitmap word
  Array<std::uint32_t> tie_ranks;            // list of a term: each member's rank in the order of ties
  Array<std::uint8_t> impacts;               // 1..255 (query/score.h), one for each member
  /// Bitmap of a term: at most kBestStored members of each partition by descending impact, then by the order of ties.
  std::array<Array<std::uint32_t>, 3> best;

  /// Makes everything that scoring reads contiguous in memory, valid as long as SnapshotFile::bytes says.
  void load() {
    ranks = ranks.all();
    block_max = block_max.all();
    impacts = impacts.all();
  }
  /// Returns the impact of the member with this index. Throws CatalogDamaged if there is none.
  std::uint8_t impact_at(std::size_t member) const {
    if (member >= impacts.size()) throw_damaged("a posting list has too few impacts");
    return impacts[member];
  }
};

/// Finds positions in a sorted list. Calls must have ascending positions.
class ListCursor {
 public:
  explicit ListCursor(std::span<const std::uint32_t> list) : list_(list) {}

  /// Advances to the first member not less than `position`; returns whether they are equal.
  bool find(std::uint32_t position) {
    // Fast path for dense queries: the next member is often the right one.
    if (at_ < list_.size() && list_[at_] < position) ++at_;
    if (at_ == list_.size() || list_[at_] >= position) return at_ < list_.size() && list_[at_] == position;
    return gallop(position);
  }
  std::size_t at() const { return at_; }

 private:
  /// Short jumps are cheap, long ones cost their logarithm.
  bool gallop(std::uint32_t position) {
    std::size_t step = 1;
    while (at_ + step < list_.size() && list_[at_ + step] < position) step *= 2;
    const auto end = list_.begin() + static_cast<std::ptrdiff_t>(std::min(at_ + step + 1, list_.size()));
    const auto found = std::lower_bound(list_.begin() + static_cast<std::ptrdiff_t>(at_), end, position);
    at_ = static_cast<std::size_t>(found - list_.begin());
    return at_ < list_.size() && list_[at_] == position;
  }

  std::span<const std::uint32_t> list_;
  std::size_t at_ = 0;
};

/// Counts the sorted `positions` in each partition (music, effects, speech). REQUIRES: none is taken down.
std::array<std::uint32_t, 3> count_partitions(std::span<const std::uint32_t> positions, const Layout& layout);

/// Encodes a posting list. The best tracks of a term's bitmap come first; the offset in the term's entry points after
/// them. `impacts`: one for each position, or empty for a facet. `tie_rank`: by position, orders equal impacts.
std::string encode_posting_list(std::span<const std::uint32_t> positions, std::span<const std::uint8_t> impacts,
                                const Layout& layout, std::span<const std::uint32_t> tie_rank);
/// Returns the best of the members with indexes in [begin, end), at most kBestStored.
std::vector<std::uint32_t> best_members(std::span<const std::uint32_t> positions, std::span<const std::uint8_t> impacts,
                                        std::size_t begin, std::size_t end, std::span<const std::uint32_t> tie_rank);
/// Returns the size in bytes of the best tracks before the bits of a term's bitmap; 0 for any other posting list.
std::uint64_t best_size(const std::array<std::uint32_t, 3>& counts, PostingKind kind, std::uint32_t size);
/// The parts of a term's posting list that a search reads: only the members; with the best tracks of a bitmap; with
/// the data for scoring; or everything. Of a list that is no bitmap, either the members are read or everything.
enum class PostingParts : std::uint8_t { members, best, scores, all };
/// Returns the range of those parts in the section. `offset`: as in `decode_posting_list`.
FileRange posting_list_range(std::uint64_t offset, const std::array<std::uint32_t, 3>& counts, PostingKind kind,
                             std::uint32_t size, PostingParts parts);
/// `offset`: where the bits of a bitmap or the positions of a list start; `counts`: from the term's entry. Throws
/// CatalogDamaged.
PostingList decode_posting_list(const Extent& section, std::uint64_t offset, const std::array<std::uint32_t, 3>& counts,
                                PostingKind kind, std::uint32_t size);

/// A list converted to a bitmap in its own memory.
class DenseCopy {
 public:
  /// Omits positions from `end` on. REQUIRES: `list` is not a bitmap.
  DenseCopy(const PostingList& list, std::uint32_t end);
  const PostingList& posting_list() const { return posting_; }

 private:
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint32_t> ranks_;
  std::vector<std::uint8_t> block_max_;
  PostingList posting_;
};

}  // namespace tonearm::catalog
