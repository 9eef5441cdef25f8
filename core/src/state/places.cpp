#include "state/places.h"

#include <algorithm>
#include <cstddef>

namespace tonearm::state {

namespace {

/// Room left behind each new last row: halved 32 times before a list is spaced anew.
constexpr std::int64_t kStep = std::int64_t{1} << 32;
/// Beyond it the list is spaced anew: not every database has whole numbers of 2^53 and more.
constexpr std::int64_t kPlaceMax = std::int64_t{1} << 52;

using Places = std::vector<std::optional<std::int64_t>>;

/// Keeps the places of a longest growing subsequence and clears the others.
Places keep_growing(const Places& now) {
  std::vector<std::size_t> ends;  // of the growing subsequences of each length: the index of the least last place
  std::vector<std::optional<std::size_t>> before(now.size());
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (!now[i]) continue;
    const auto longer = std::lower_bound(ends.begin(), ends.end(), *now[i],
                                         [&](std::size_t index, std::int64_t place) { return *now[index] < place; });
    if (longer != ends.begin()) before[i] = *(longer - 1);
    if (longer == ends.end()) {
      ends.push_back(i);
    } else {
      *longer = i;
    }
  }
  Places kept(now.size());
  if (ends.empty()) return kept;
  for (std::optional<std::size_t> i = ends.back(); i; i = before[*i]) kept[*i] = now[*i];
  return kept;
}

std::vector<std::int64_t> spaced_anew(std::size_t count) {
  std::vector<std::int64_t> places;
  for (std::size_t i = 0; i < count; ++i) places.push_back(static_cast<std::int64_t>(i) * kStep);
  return places;
}

/// Fills the rows from `begin` to `end` (exclusive), which have no place; those beside them have. False: no room.
bool fill(Places& places, std::size_t begin, std::size_t end) {
  const auto count = static_cast<std::int64_t>(end - begin);
  const bool is_first = begin == 0;
  const bool is_last = end == places.size();
  const std::int64_t low = is_first ? (is_last ? -kStep : *places[end] - (count + 1) * kStep) : *places[begin - 1];
  const std::int64_t high = is_last ? low + (count + 1) * kStep : *places[end];
  const std::int64_t gap = (high - low) / (count + 1);
  if (gap == 0 || low < -kPlaceMax || high > kPlaceMax) return false;
  for (std::size_t i = begin; i < end; ++i) places[i] = low + gap * static_cast<std::int64_t>(i - begin + 1);
  return true;
}

}  // namespace

std::vector<std::int64_t> assign_places(const std::vector<std::optional<std::int64_t>>& now) {
  Places places = keep_growing(now);
  for (std::size_t begin = 0; begin < places.size(); ++begin) {
    if (places[begin]) continue;
    std::size_t end = begin;
    while (end < places.size() && !places[end]) ++end;
    if (!fill(places, begin, end)) return spaced_anew(places.size());
    begin = end;
  }
  std::vector<std::int64_t> assigned;
  for (const auto& place : places) assigned.push_back(*place);
  return assigned;
}

}  // namespace tonearm::state
