#include "similar/neighbors_best.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace tonearm::builder {
namespace {

bool stands_better(const Alike& a, const Alike& b) {
  return a.standing != b.standing ? a.standing > b.standing : a.track > b.track;
}

/// Counts for each how many of its artist are closer.
void give_standings(std::vector<Alike>& candidates) {
  std::sort(candidates.begin(), candidates.end(), [](const Alike& a, const Alike& b) {
    return a.artist != b.artist ? a.artist < b.artist : a.track > b.track;
  });
  std::size_t closer = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    Alike& it = candidates[i];
    const bool goes_on = i > 0 && it.artist != Traits::kNoArtist && it.artist == candidates[i - 1].artist;
    closer = goes_on ? closer + 1 : 0;
    it.standing = standing(it.track.value(), closer);
  }
}

}  // namespace

void put_in_order(std::vector<Alike>& candidates) {
  give_standings(candidates);
  std::sort(candidates.begin(), candidates.end(), stands_better);
}

Best::Best(std::size_t count) : count_(count) { held_.reserve(2 * count); }

bool Best::may_take(Closeness track, std::uint32_t artist) const {
  if (track.value() < least_) return false;
  if (bound_ == 0 || artist == Traits::kNoArtist) return true;
  const auto closer = std::count_if(held_.begin(), held_.end(),
                                    [&](const Alike& it) { return it.artist == artist && it.track > track; });
  return standing(track.value(), static_cast<std::size_t>(closer)) >= bound_;
}

void Best::add(Closeness track, std::uint32_t artist) {
  held_.push_back({track, artist, 0});
  if (held_.size() == 2 * count_) prune();
}

/// A track that is dropped would not come back, whatever is added later: more tracks of an artist only make the best
/// standings of that artist higher, and its own lower.
void Best::prune() {
  if (held_.size() < count_) return;
  give_standings(held_);
  const auto last = held_.begin() + static_cast<std::ptrdiff_t>(count_) - 1;
  std::nth_element(held_.begin(), last, held_.end(), stands_better);
  bound_ = last->standing;
  if (bound_ > 1) least_ = static_cast<std::int16_t>(bound_ + kUnlike);
  held_.resize(count_);
}

std::vector<Alike> Best::take() {
  prune();
  put_in_order(held_);
  return std::exchange(held_, {});
}

std::int16_t Nearest::least(std::uint8_t terms) const {
  std::int16_t least = std::numeric_limits<std::int16_t>::max();
  for (const List& list : lists_) {
    if ((list.terms & ~terms) == 0) least = std::min(least, list.best.least());
  }
  return least;
}

bool Nearest::may_take(Closeness track, const Traits& traits) const {
  return std::any_of(lists_.begin(), lists_.end(), [&](const List& list) {
    return (list.terms & ~traits.terms) == 0 && list.best.may_take(track, traits.artist);
  });
}

void Nearest::add(Closeness track, const Traits& traits) {
  for (List& list : lists_) {
    const bool belongs = (list.terms & ~traits.terms) == 0;
    if (belongs && list.best.may_take(track, traits.artist)) list.best.add(track, traits.artist);
  }
}

void Nearest::settle() {
  for (List& list : lists_) list.best.settle();
}

/// The best of all stay the first of the whole: who is added beside them stands lower among all, and is counted behind
/// all tracks of its artist that are among them.
std::vector<std::uint32_t> Nearest::take() {
  std::vector<Alike> all;
  std::unordered_set<std::uint32_t> taken;
  for (List& list : lists_) {
    for (const Alike& it : list.best.take()) {
      if (taken.insert(it.track.index()).second) all.push_back(it);
    }
  }
  put_in_order(all);
  std::vector<std::uint32_t> indices;
  indices.reserve(all.size());
  for (const Alike& it : all) indices.push_back(it.track.index());
  return indices;
}

}  // namespace tonearm::builder
