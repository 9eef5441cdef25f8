#pragma once
// The bytes of a posting: the tracks that have a word or a value of a facet (docs/snapshot-format.md). Readers check
// that all of it lies inside of the section; what its numbers say is checked where they are used.

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "catalog/bits.h"
#include "catalog/layout.h"
#include "catalog/sections.h"

namespace tonearm::catalog {

/// A bitmap takes no more room than a list where more than one track in 32 is in it.
constexpr bool is_dense(std::uint32_t count, std::uint32_t size) { return std::uint64_t{count} * 32 > size; }

/// How many of a word's best tracks are kept in order for each group (music, effects, speech), where it has a bitmap:
/// as far as anyone turns pages.
inline constexpr std::uint32_t kBestKept = 10'240;

enum class PostingKind : std::uint8_t { facet, word };

/// A view into the snapshot. A facet's value has neither ranks nor maxima nor impacts.
struct Posting {
  std::array<std::uint32_t, 3> counts{};  // among music, effects, speech
  std::uint32_t count = 0;                // of all three
  bool dense = false;
  std::span<const std::uint32_t> positions;  // of a list: upwards
  std::span<const std::uint64_t> bits;       // of a bitmap
  Array<std::uint32_t> ranks;                // of a bitmap of a word: members before each word of the bitmap
  Array<std::uint8_t> maxima;                // the highest impact in each word of the bitmap
  Array<std::uint32_t> id_ranks;             // of a list of a word: places of the members' ids among all ids
  Array<std::uint8_t> impacts;               // 1..255 (score.h), one for each member, upwards
  /// Of a bitmap of a word: at most kBestKept members of each group, the highest impact first, then by id.
  std::array<Array<std::uint32_t>, 3> best;

  /// Puts what scores side by side in memory, where it does not lie there, as long as SnapshotFile::bytes says.
  void draw_near() {
    ranks = ranks.all();
    maxima = maxima.all();
    impacts = impacts.all();
  }
  /// The impact of member number `member`; damaged where there is none.
  std::uint8_t impact_at(std::size_t member) const {
    if (member >= impacts.size()) damaged("a posting has too few impacts");
    return impacts[member];
  }
};

/// Finds positions of a list, asked for upwards.
class ListCursor {
 public:
  explicit ListCursor(std::span<const std::uint32_t> list) : list_(list) {}

  /// Moves to the first member that is not below `position`; true: it is this one.
  bool find(std::uint32_t position) {
    // Where most members are asked for, it is this one or the next.
    if (at_ < list_.size() && list_[at_] < position) ++at_;
    if (at_ == list_.size() || list_[at_] >= position) return at_ < list_.size() && list_[at_] == position;
    // Steps that double, then halves: near members cost little, far ones their logarithm.
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

/// How many of `positions` lie in each of the three groups. REQUIRES: all of them do.
std::array<std::uint32_t, 3> count_groups(std::span<const std::uint32_t> positions, const Layout& layout);

/// Of the bitmap of a word the best tracks come first, before what its entry says to be its begin. Impacts: one for
/// each position, or none for a facet. `id_rank`: by position, what ties of impact are ordered by.
std::string encode_posting(std::span<const std::uint32_t> positions, std::span<const std::uint8_t> impacts,
                           const Layout& layout, std::span<const std::uint32_t> id_rank);
/// The members numbered from `begin` to before `end`, the best first, at most kBestKept of them.
std::vector<std::uint32_t> best_members(std::span<const std::uint32_t> positions, std::span<const std::uint8_t> impacts,
                                        std::size_t begin, std::size_t end, std::span<const std::uint32_t> id_rank);
/// How many bytes of best tracks stand before the bits of a word's bitmap; 0 of any other posting.
std::uint64_t best_size(const std::array<std::uint32_t, 3>& counts, PostingKind kind, std::uint32_t size);
/// Of the bitmap of a word: best tracks and bits; or bits and what scores; or all.
enum class PostingParts : std::uint8_t { best, scores, all };
/// Where a posting, or those parts of it, lie in the section. `offset`: as in `decode_posting`.
FileRange posting_place(std::uint64_t offset, const std::array<std::uint32_t, 3>& counts, PostingKind kind,
                        std::uint32_t size, PostingParts parts);
/// `offset` into the section, where the bits of a bitmap begin; `counts` from the term's entry. Throws sql::Failure.
Posting decode_posting(const Extent& section, std::uint64_t offset, const std::array<std::uint32_t, 3>& counts,
                       PostingKind kind, std::uint32_t size);

/// A list in the form of a bitmap, in memory of its own.
class DenseCopy {
 public:
  /// Positions at or above `end` are left out. REQUIRES: `list` is a list.
  DenseCopy(const Posting& list, std::uint32_t end);
  const Posting& posting() const { return posting_; }

 private:
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint32_t> ranks_;
  std::vector<std::uint8_t> maxima_;
  Posting posting_;
};

}  // namespace tonearm::catalog
