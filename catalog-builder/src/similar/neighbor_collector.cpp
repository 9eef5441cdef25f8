#include "similar/neighbor_collector.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace tonearm::builder {
namespace {

bool ranks_higher(const RankedNeighbor& a, const RankedNeighbor& b) {
  return a.score != b.score ? a.score > b.score : a.track > b.track;
}

/// Scores each candidate by the number of closer tracks of its artist.
void assign_scores(std::vector<RankedNeighbor>& candidates) {
  std::sort(candidates.begin(), candidates.end(), [](const RankedNeighbor& a, const RankedNeighbor& b) {
    return a.artist != b.artist ? a.artist < b.artist : a.track > b.track;
  });
  std::size_t closer = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    RankedNeighbor& it = candidates[i];
    const bool is_same_artist = i > 0 && it.artist != Traits::kNoArtist && it.artist == candidates[i - 1].artist;
    closer = is_same_artist ? closer + 1 : 0;
    it.score = score(it.track.value(), closer);
  }
}

}  // namespace

void rank_neighbors(std::vector<RankedNeighbor>& candidates) {
  assign_scores(candidates);
  std::sort(candidates.begin(), candidates.end(), ranks_higher);
}

TopNeighbors::TopNeighbors(std::size_t count) : count_(count) {
  candidates_.reserve(2 * count);
  artists_.reserve(2 * count);
}

bool TopNeighbors::may_accept(Closeness track, std::uint32_t artist) const {
  if (track.value() < lower_bound_) return false;
  if (worst_score_ == 0 || artist == Traits::kNoArtist) return true;
  // Few tracks have an artist among the candidates. A loop without branches finds that out fast.
  unsigned same = 0;
  for (const auto other : artists_) same += other == artist ? 1U : 0U;
  if (same == 0) return score(track.value(), 0) >= worst_score_;
  const auto closer = std::count_if(candidates_.begin(), candidates_.end(),
                                    [&](const RankedNeighbor& it) { return it.artist == artist && it.track > track; });
  return score(track.value(), static_cast<std::size_t>(closer)) >= worst_score_;
}

void TopNeighbors::add(Closeness track, std::uint32_t artist) {
  candidates_.push_back({track, artist, 0});
  artists_.push_back(artist);
  if (candidates_.size() == 2 * count_) prune();
}

/// A dropped track can never return: further tracks of an artist only raise the best scores of that artist and lower
/// its own.
void TopNeighbors::prune() {
  if (candidates_.size() < count_) return;
  assign_scores(candidates_);
  const auto last = candidates_.begin() + static_cast<std::ptrdiff_t>(count_) - 1;
  std::nth_element(candidates_.begin(), last, candidates_.end(), ranks_higher);
  worst_score_ = last->score;
  if (worst_score_ > 1) lower_bound_ = static_cast<std::int16_t>(worst_score_ + kUnrelated);
  candidates_.resize(count_);
  artists_.resize(count_);
  std::transform(candidates_.begin(), candidates_.end(), artists_.begin(),
                 [](const RankedNeighbor& it) { return it.artist; });
}

std::vector<RankedNeighbor> TopNeighbors::take() {
  prune();
  rank_neighbors(candidates_);
  artists_.clear();
  return std::exchange(candidates_, {});
}

std::int16_t NeighborCollector::lower_bound(std::uint8_t terms) const {
  std::int16_t lower_bound = std::numeric_limits<std::int16_t>::max();
  for (const List& list : lists_) {
    if ((list.terms & ~terms) == 0) lower_bound = std::min(lower_bound, list.best.lower_bound());
  }
  return lower_bound;
}

bool NeighborCollector::may_accept(Closeness track, const Traits& traits) const {
  return std::any_of(lists_.begin(), lists_.end(), [&](const List& list) {
    return (list.terms & ~traits.terms) == 0 && list.best.may_accept(track, traits.artist);
  });
}

void NeighborCollector::add(Closeness track, const Traits& traits) {
  for (List& list : lists_) {
    const bool belongs = (list.terms & ~traits.terms) == 0;
    if (belongs && list.best.may_accept(track, traits.artist)) list.best.add(track, traits.artist);
  }
}

void NeighborCollector::prune() {
  for (List& list : lists_) list.best.prune();
}

NeighborLists NeighborCollector::take() {
  NeighborLists lists;
  for (std::size_t i = 0; i < lists.size(); ++i) lists[i] = lists_[i].best.take();
  return lists;
}

/// The overall best come first: tracks that only the other lists contain have lower scores, and follow all tracks of
/// their artist.
std::vector<std::uint32_t> merge_lists(const NeighborLists& lists) {
  std::vector<RankedNeighbor> all;
  std::unordered_set<std::uint32_t> seen;
  for (const auto& list : lists) {
    for (const RankedNeighbor& it : list) {
      if (seen.insert(it.track.index()).second) all.push_back(it);
    }
  }
  rank_neighbors(all);
  std::vector<std::uint32_t> indices;
  indices.reserve(all.size());
  for (const RankedNeighbor& it : all) indices.push_back(it.track.index());
  return indices;
}

}  // namespace tonearm::builder
