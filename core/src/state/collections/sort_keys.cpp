#include "state/collections/sort_keys.h"

#include <algorithm>
#include <cstddef>

namespace tonearm::state {

namespace {

/// The gap after each new last row. It can be halved 32 times before all keys must change.
constexpr std::int64_t kGap = std::int64_t{1} << 32;
/// All keys change if one would be larger: not every database has integers of 2^53 and more.
constexpr std::int64_t kSortKeyMax = std::int64_t{1} << 52;

using SortKeys = std::vector<std::optional<std::int64_t>>;

/// Keeps the sort keys of a longest increasing subsequence and clears the others.
SortKeys keep_longest_increasing(const SortKeys& now) {
  std::vector<std::size_t> ends;  // for each length: the index of the smallest last key of such a subsequence
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

std::vector<std::int64_t> respace(std::size_t count) {
  std::vector<std::int64_t> sort_keys;
  for (std::size_t i = 0; i < count; ++i) sort_keys.push_back(static_cast<std::int64_t>(i) * kGap);
  return sort_keys;
}

/// Assigns sort keys to the rows from `begin` to `end` (exclusive), which have none, unlike their neighbors. Returns
/// false if the gap is too small.
bool fill_gap(SortKeys& sort_keys, std::size_t begin, std::size_t end) {
  const auto count = static_cast<std::int64_t>(end - begin);
  const bool is_first = begin == 0;
  const bool is_last = end == sort_keys.size();
  const std::int64_t low = is_first ? (is_last ? -kGap : *sort_keys[end] - (count + 1) * kGap) : *sort_keys[begin - 1];
  const std::int64_t high = is_last ? low + (count + 1) * kGap : *sort_keys[end];
  const std::int64_t gap = (high - low) / (count + 1);
  if (gap == 0 || low < -kSortKeyMax || high > kSortKeyMax) return false;
  for (std::size_t i = begin; i < end; ++i) sort_keys[i] = low + gap * static_cast<std::int64_t>(i - begin + 1);
  return true;
}

}  // namespace

std::vector<std::int64_t> assign_sort_keys(const std::vector<std::optional<std::int64_t>>& current) {
  SortKeys sort_keys = keep_longest_increasing(current);
  for (std::size_t begin = 0; begin < sort_keys.size(); ++begin) {
    if (sort_keys[begin]) continue;
    std::size_t end = begin;
    while (end < sort_keys.size() && !sort_keys[end]) ++end;
    if (!fill_gap(sort_keys, begin, end)) return respace(sort_keys.size());
    begin = end;
  }
  std::vector<std::int64_t> assigned;
  for (const auto& sort_key : sort_keys) assigned.push_back(*sort_key);
  return assigned;
}

}  // namespace tonearm::state
