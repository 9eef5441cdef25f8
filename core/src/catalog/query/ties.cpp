#include "catalog/query/ties.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace tonearm::catalog {
namespace {

using Positions = std::vector<std::uint32_t>;

/// Up to this number of tracks beyond the page, tracks are read instead of ranks.
constexpr std::size_t kMoreTracks = 6;
/// A walk through the order of ties may cover 1 / kWalkDivisor of it; the ranks may be in as many blocks.
constexpr std::size_t kWalkDivisor = 3;
/// The ranks of more tracks are in nearly all blocks.
constexpr std::size_t kSingleRankReadsMax = 2048;
/// One block of positions.
constexpr std::size_t kWalkStep = kBlockBytes / sizeof(std::uint32_t);

/// Sorts by key and returns the positions with indexes in [begin, end).
template <class KeyOf>
Positions slice_by(std::span<const std::uint32_t> positions, std::size_t begin, std::size_t end, const KeyOf& key_of) {
  std::vector<Keyed> keyed;
  keyed.reserve(positions.size());
  for (const std::uint32_t position : positions) keyed.push_back({key_of(position), position});
  return positions_by_key(keyed, begin, end);
}

/// An object, so that sorting inlines it.
struct HigherScore {
  bool operator()(const Scored& a, const Scored& b) const { return a.score > b.score; }
};

/// Tracks by descending score; tracks with equal scores are adjacent, in no order.
class Ties {
 public:
  /// Adds tracks with scores above all that follow. Reorders `scored`.
  void add(std::vector<Scored>& scored) {
    std::sort(scored.begin(), scored.end(), HigherScore{});
    for (std::size_t i = 0; i < scored.size(); ++i) {
      positions_.push_back(scored[i].position);
      if (i + 1 == scored.size() || scored[i + 1].score != scored[i].score) ends_.push_back(positions_.size());
    }
  }
  /// Adds tracks with one score.
  void add(const Positions& tied) {
    if (tied.empty()) return;
    positions_.insert(positions_.end(), tied.begin(), tied.end());
    ends_.push_back(positions_.size());
  }
  /// Adds the lowest score; nothing may follow. It may be large and is not copied: it must outlive the object.
  void add_last(const Positions& tied) { last_ = tied; }
  /// Calls `visit(tied, begin, end)` for each tie on a page, with the range of its indexes in the order of ties.
  template <class Visit>
  void each(const PageRange& page, const Visit& visit) const {
    std::size_t start = 0;
    const auto visit_tie = [&](std::span<const std::uint32_t> tied) {
      const auto index_of = [&](std::uint64_t at) {
        return static_cast<std::size_t>(std::clamp<std::uint64_t>(at, start, start + tied.size())) - start;
      };
      const std::size_t from = index_of(page.offset);
      const std::size_t to = index_of(page.offset + page.limit);
      if (from < to) visit(tied, from, to);
      start += tied.size();
    };
    for (const std::size_t end : ends_) visit_tie(std::span(positions_).subspan(start, end - start));
    visit_tie(last_);
  }

 private:
  Positions positions_;
  std::vector<std::size_t> ends_;
  std::span<const std::uint32_t> last_;
};

/// Adds the ties that the page overlaps: from the score of its first track to that of its last. Returns the number of
/// tracks with higher scores. REQUIRES: offset < end <= scored.size().
std::uint64_t add_overlapping(std::vector<Scored>& scored, std::uint64_t offset, std::uint64_t end, Ties& ties) {
  const auto first = scored.begin() + static_cast<std::ptrdiff_t>(offset);
  const auto last = scored.begin() + static_cast<std::ptrdiff_t>(end) - 1;
  std::nth_element(scored.begin(), first, scored.end(), HigherScore{});
  const std::uint32_t highest = first->score;
  std::nth_element(first, last, scored.end(), HigherScore{});
  const std::uint32_t lowest = last->score;
  // The first and the last tie may have any number of tracks; those between have at most as many as the page.
  std::uint64_t before = 0;
  Positions of_first;
  std::vector<Scored> between;
  Positions of_last;
  for (const Scored& it : scored) {
    if (it.score > highest) {
      ++before;
    } else if (it.score == highest) {
      of_first.push_back(it.position);
    } else if (it.score > lowest) {
      between.push_back(it);
    } else if (it.score == lowest) {
      of_last.push_back(it.position);
    }
  }
  ties.add(of_first);
  ties.add(between);
  ties.add(of_last);
  return before;
}

/// Returns the tracks of a page in any order: only ties that the page cuts are sorted.
Positions set_of_ties(const Ties& ties, const PageRange& page, const TieOrder& order) {
  Positions positions;
  ties.each(page, [&](std::span<const std::uint32_t> tied, std::size_t from, std::size_t to) {
    const bool is_cut = to - from < tied.size();
    const Positions part = is_cut ? order.sorted_slice(tied, from, to) : Positions(tied.begin(), tied.end());
    positions.insert(positions.end(), part.begin(), part.end());
  });
  return positions;
}

/// Large ties are decided first. Then the tracks of all ties, which the page needs anyway, are fetched together and
/// decide the rest.
Positions page_of_ties(const Ties& ties, const PageRange& page, const TieOrder& order) {
  Positions positions;
  if (!order.is_remote()) {
    ties.each(page, [&](std::span<const std::uint32_t> tied, std::size_t from, std::size_t to) {
      const Positions part = order.sorted_slice(tied, from, to);
      positions.insert(positions.end(), part.begin(), part.end());
    });
    return positions;
  }
  std::vector<Positions> decided;
  Positions read;
  ties.each(page, [&](std::span<const std::uint32_t> tied, std::size_t from, std::size_t to) {
    const bool is_undecided = order.reads_tracks(tied.size(), to - from);
    decided.push_back(is_undecided ? Positions{} : order.sorted_slice(tied, from, to));
    if (is_undecided) {
      read.insert(read.end(), tied.begin(), tied.end());
    } else {
      read.insert(read.end(), decided.back().begin(), decided.back().end());
    }
  });
  order.fetch_tracks(read);
  auto next = decided.begin();
  ties.each(page, [&](std::span<const std::uint32_t> tied, std::size_t from, std::size_t to) {
    if (next->empty()) *next = order.sorted_slice(tied, from, to);
    positions.insert(positions.end(), next->begin(), next->end());
    ++next;
  });
  return positions;
}

}  // namespace

Positions positions_by_key(std::vector<Keyed>& keyed, std::size_t begin, std::size_t end) {
  const auto ranks_before = [](const Keyed& a, const Keyed& b) { return a.key < b.key; };
  const auto first = keyed.begin() + static_cast<std::ptrdiff_t>(begin);
  const auto last = keyed.begin() + static_cast<std::ptrdiff_t>(end);
  if (first != keyed.end()) std::nth_element(keyed.begin(), first, keyed.end(), ranks_before);
  if (last != keyed.end()) std::nth_element(first, last, keyed.end(), ranks_before);
  std::sort(first, last, ranks_before);
  Positions positions;
  positions.reserve(end - begin);
  for (auto at = first; at != last; ++at) positions.push_back(at->position);
  return positions;
}

bool TieOrder::reads_tracks(std::size_t count, std::size_t wanted) const {
  return is_remote() && kind_ == PageKind::ordered && count - wanted <= kMoreTracks;
}

std::optional<std::uint32_t> TieOrder::rank_in_lists(std::uint32_t position) const {
  for (const PostingList* list : lists_) {
    const auto found = std::lower_bound(list->positions.begin(), list->positions.end(), position);
    if (found == list->positions.end() || *found != position) continue;
    return list->tie_ranks[static_cast<std::size_t>(found - list->positions.begin())];
  }
  return std::nullopt;
}

std::optional<std::vector<Keyed>> TieOrder::ranks_in_lists(std::span<const std::uint32_t> positions) const {
  if (lists_.empty()) return std::nullopt;
  std::vector<Keyed> keyed;
  keyed.reserve(positions.size());
  for (const std::uint32_t position : positions) {
    const auto rank = rank_in_lists(position);
    if (!rank) return std::nullopt;
    keyed.push_back({*rank, position});
  }
  return keyed;
}

std::optional<Positions> TieOrder::walk_order(std::span<const std::uint32_t> positions, std::size_t end) const {
  Positions found;
  const Array<std::uint32_t>& order = index_.columns.ties.positions;
  // If they are spread evenly, the first piece suffices.
  const std::size_t expected = order.size() / positions.size() * (end + 1);
  std::size_t piece = std::max(kWalkStep, expected);
  // A bitmap makes each lookup one step, but has to be filled.
  const bool pays = expected * std::bit_width(positions.size()) > positions.size() + order.size() / kWordBits;
  std::vector<bool> bitmap;
  const auto is_wanted = [&](std::uint32_t position) {
    return pays ? bitmap[position] : std::binary_search(positions.begin(), positions.end(), position);
  };
  for (std::size_t begin = 0; begin < order.size(); begin += piece, piece *= 2) {
    if (begin > order.size() / kWalkDivisor) return std::nullopt;
    const auto part = order.subarray(begin, std::min(piece, order.size() - begin));
    fetcher_.array(part);
    if (pays && bitmap.empty()) {
      bitmap.resize(order.size());
      for (const std::uint32_t position : positions) bitmap[position] = true;
    }
    for (const std::uint32_t position : part) {
      if (position >= order.size()) throw_damaged("an order refers to a missing track");
      if (!is_wanted(position)) continue;
      found.push_back(position);
      if (found.size() == end) return found;
    }
  }
  throw_damaged("the order of ties is not a permutation");
}

Positions TieOrder::sorted_slice(std::span<const std::uint32_t> positions, std::size_t begin, std::size_t end) const {
  if (positions.size() < 2) return begin < end ? Positions(positions.begin(), positions.end()) : Positions{};
  if (is_remote()) {
    if (std::is_sorted(positions.begin(), positions.end())) return remote_slice(positions, begin, end);
    Positions sorted(positions.begin(), positions.end());
    std::sort(sorted.begin(), sorted.end());
    return remote_slice(sorted, begin, end);
  }
  const std::span<const std::uint32_t> ranks = index_.columns.ties.ranks.all();
  return slice_by(positions, begin, end, [&](std::uint32_t position) { return ranks[position]; });
}

/// Uses the method with the fewest reads.
Positions TieOrder::remote_slice(std::span<const std::uint32_t> positions, std::size_t begin, std::size_t end) const {
  if (auto ranked = ranks_in_lists(positions)) return positions_by_key(*ranked, begin, end);
  const auto by = [&](const auto& key_of) { return slice_by(positions, begin, end, key_of); };
  if (reads_tracks(positions.size(), end - begin)) {
    return by([&](std::uint32_t position) { return index_.tracks.at(position).tie_rank; });
  }
  if (end * kWalkDivisor <= positions.size()) {
    const auto found = walk_order(positions, end);
    if (found) return {found->begin() + static_cast<std::ptrdiff_t>(begin), found->end()};
  }
  const Array<std::uint32_t>& ranks = index_.columns.ties.ranks;
  if (positions.size() > kSingleRankReadsMax) {
    fetcher_.array(ranks.subarray(positions.front(), positions.back() - positions.front() + 1));
  } else {
    fetcher_.elements(ranks, positions);
  }
  return by([&](std::uint32_t position) { return ranks[position]; });
}

Positions page_of_scored(std::vector<Scored> scored, const Positions& lowest, const PageRange& page,
                         const TieOrder& order) {
  const std::uint64_t end = std::min<std::uint64_t>(scored.size() + lowest.size(), page.offset + page.limit);
  if (end <= page.offset) return {};
  Ties ties;
  std::uint64_t before = scored.size();
  if (page.offset < scored.size()) {
    before = add_overlapping(scored, page.offset, std::min<std::uint64_t>(end, scored.size()), ties);
  }
  if (end > scored.size()) ties.add_last(lowest);
  const PageRange of_ties{page.offset - before, end - page.offset};
  return order.page_kind() == PageKind::set ? set_of_ties(ties, of_ties, order) : page_of_ties(ties, of_ties, order);
}

}  // namespace tonearm::catalog
