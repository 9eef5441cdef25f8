#pragma once
// Removes repeated values from lists. Pure, thread-safe.

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace tonearm::text {

/// Removes every value that equals an earlier one; the others keep their order. Needs n log n comparisons, because a
/// list may be as long as a request.
template <class Value>
void keep_first_of_equals(std::vector<Value>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return values[a] < values[b]; });
  std::vector<bool> is_repeated(values.size());
  for (std::size_t i = 1; i < order.size(); ++i) is_repeated[order[i]] = values[order[i]] == values[order[i - 1]];
  std::size_t kept = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (is_repeated[i]) continue;
    if (kept != i) values[kept] = std::move(values[i]);
    ++kept;
  }
  values.resize(kept);
}

}  // namespace tonearm::text
