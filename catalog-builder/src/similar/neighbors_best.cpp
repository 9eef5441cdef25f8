#include "similar/neighbors_best.h"

#include <algorithm>
#include <functional>

#include "similar/neighbors_scan.h"

namespace tonearm::builder {

Best::Best() : least_(kNowhere + 1) { all_.reserve(2 * kCount); }

void Best::offer(Closeness track, std::uint32_t artist) {
  offer_first(track, artist);
  if (track > bound_) {
    all_.push_back(track);
    if (all_.size() == 2 * kCount) prune();
  }
  const std::int16_t varied_least = varied() ? first_.back().track.value() : static_cast<std::int16_t>(kNowhere + 1);
  least_ = std::max<std::int16_t>(std::min(bound_.value(), varied_least), kNowhere + 1);
}

void Best::offer_first(Closeness track, std::uint32_t artist) {
  if (varied() && track < first_.back().track) return;
  const auto end = first_.begin() + static_cast<std::ptrdiff_t>(first_count_);
  if (std::any_of(first_.begin(), end, [&](const First& first) { return first.track == track; })) return;
  const auto by_artist = [&](const First& first) { return first.artist == artist; };
  auto leaving = varied() ? end - 1 : end;  // moved onto by those behind the new one
  if (artist != kNoArtist && std::count_if(first_.begin(), end, by_artist) == kSameArtistMax) {
    leaving = std::find_if(std::make_reverse_iterator(end), first_.rend(), by_artist).base() - 1;
    if (track < leaving->track) return;
  }
  if (leaving == end) ++first_count_;
  const auto closer = [&](const First& first) { return first.track > track; };
  const auto to = std::find_if_not(first_.begin(), leaving, closer);
  std::move_backward(to, leaving, leaving + 1);
  *to = {track, artist};
}

void Best::prune() {
  if (all_.size() <= kCount) return;
  const auto last = all_.begin() + kCount - 1;
  std::nth_element(all_.begin(), last, all_.end(), std::greater<>());
  bound_ = *last;
  all_.resize(kCount);
}

std::vector<std::uint32_t> Best::take() {
  prune();
  std::sort(all_.begin(), all_.end(), std::greater<>());
  std::vector<std::uint32_t> indices;
  const auto first = std::span(first_).first(first_count_);
  for (const auto& [track, artist] : first) indices.push_back(track.index());
  for (const auto& track : all_) {
    const auto same = [&](const First& taken) { return taken.track == track; };
    if (indices.size() < kCount && std::none_of(first.begin(), first.end(), same)) indices.push_back(track.index());
  }
  return indices;
}

}  // namespace tonearm::builder
