#include "state/sort_keys.h"

#include <algorithm>
#include <cstddef>

namespace tonearm::state {

namespace {

/// Room left after each new last row: halved 32 times before a list is spaced again.
constexpr std::int64_t kStep = std::int64_t{1} << 32;
/// Beyond it the list is spaced again: not every database has whole numbers of 2^53 and more.
constexpr std::int64_t kSortKeyMax = std::int64_t{1} << 52;

using SortKeys = std::vector<std::optional<std::int64_t>>;

/// Keeps the sort keys of a longest growing subsequence and clears the others.
SortKeys keep_growing(const SortKeys& now) {
  std::vector<std::size_t> ends;  // of the growing subsequences of each length: the index of the least last sort key
  std::vector<std::optional<std::size_t>> before(now.size());
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (!now[i]) continue;
    const auto longer =
        std::lower_bound(ends.begin(), ends.end(), *now[i],
                         [&](std::size_t index, std::int64_t sort_key) { return *now[index] < sort_key; });
    if (longer != ends.begin()) before[i] = *(longer - 1);
    if (longer == ends.end()) {
      ends.push_back(i);
    } else {
      *longer = i;
    }
  }
  SortKeys kept(now.size());
  if (ends.empty()) return kept;
  for (std::optional<std::size_t> i = ends.back(); i; i = before[*i]) kept[*i] = now[*i];
  return kept;
}

std::vector<std::int64_t> spaced_again(std::size_t count) {
  std::vector<std::int64_t> sort_keys;
  for (std::size_t i = 0; i < count; ++i) sort_keys.push_back(static_cast<std::int64_t>(i) * kStep);
  return sort_keys;
}

/// Fills the rows from `begin` to `end` (exclusive), which have no sort key; those beside them have. False: no room.
bool fill(SortKeys& sort_keys, std::size_t begin, std::size_t end) {
  const auto count = static_cast<std::int64_t>(end - begin);
  const bool is_first = begin == 0;
  const bool is_last = end == sort_keys.size();
  const std::int64_t low =
      is_first ? (is_last ? -kStep : *sort_keys[end] - (count + 1) * kStep) : *sort_keys[begin - 1];
  const std::int64_t high = is_last ? low + (count + 1) * kStep : *sort_keys[end];
  const std::int64_t gap = (high - low) / (count + 1);
  if (gap == 0 || low < -kSortKeyMax || high > kSortKeyMax) return false;
  for (std::size_t i = begin; i < end; ++i) sort_keys[i] = low + gap * static_cast<std::int64_t>(i - begin + 1);
  return true;
}

}  // namespace

std::vector<std::int64_t> assign_sort_keys(const std::vector<std::optional<std::int64_t>>& now) {
  SortKeys sort_keys = keep_growing(now);
  for (std::size_t begin = 0; begin < sort_keys.size(); ++begin) {
    if (sort_keys[begin]) continue;
    std::size_t end = begin;
    while (end < sort_keys.size() && !sort_keys[end]) ++end;
    if (!fill(sort_keys, begin, end)) return spaced_again(sort_keys.size());
    begin = end;
  }
  std::vector<std::int64_t> assigned;
  for (const auto& sort_key : sort_keys) assigned.push_back(*sort_key);
  return assigned;
}

}  // namespace tonearm::state
