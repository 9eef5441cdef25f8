#pragma once
// How far two words are apart, for messages that name the one that was meant. Pure, thread-safe.

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace tonearm {

/// The fewest edits of bytes (insert, remove, replace, swap of neighbors) from one word to the other, none of them
/// edited twice: optimal string alignment. Takes a.size() * b.size() steps.
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  // `before` and `above` are the two rows that came last.
  std::vector<std::size_t> before;
  std::vector<std::size_t> above(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::vector<std::size_t> row(b.size() + 1, i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({row[j - 1] + 1, above[j] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = std::exchange(above, std::move(row));
  }
  return above.back();
}

}  // namespace tonearm
