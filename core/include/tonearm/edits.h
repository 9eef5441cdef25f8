#pragma once
// Edit distances between words, for suggestions in messages. Pure, thread-safe.

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace tonearm {

/// Returns the maximum edit distance between a mistyped word with `letters` letters and a suggestion (SUGGEST-5).
constexpr std::size_t typo_edits_max(std::size_t letters) {
  constexpr std::size_t kShortWord = 4;
  if (letters < 2) return 0;
  return letters > kShortWord ? 2 : 1;
}

/// Returns the optimal string alignment distance: the minimum number of inserts, deletes, replacements and swaps of
/// neighbors. Returns `at_most` + 1 if it is larger. Takes a.size() * at_most steps.
template <class Letter>
std::size_t edits_within(std::basic_string_view<Letter> a, std::basic_string_view<Letter> b, std::size_t at_most) {
  const std::size_t more = at_most + 1;
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > at_most) return more;
  // The last rows of the matrix. Cells further than `at_most` from the diagonal exceed the limit and are not computed.
  // Words fit into the array, which saves an allocation for each of many comparisons.
  constexpr std::size_t kRows = 3;
  constexpr std::size_t kFew = 32;
  std::array<std::size_t, kRows * kFew> few;
  std::vector<std::size_t> many;
  const std::size_t cells = b.size() + 1;
  if (cells > kFew) many.resize(kRows * cells);
  std::size_t* before = cells > kFew ? many.data() : few.data();
  std::size_t* above = before + cells;
  std::size_t* row = above + cells;
  std::fill(before, row + cells, more);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  std::size_t least_above = 0;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    const std::size_t begin = i > at_most ? i - at_most : 1;
    const std::size_t end = std::min(b.size(), i + at_most);
    row[begin - 1] = begin == 1 ? i : more;
    std::size_t least = row[begin - 1];
    for (std::size_t j = begin; j <= end; ++j) {
      const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({row[j - 1] + 1, above[j] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
      least = std::min(least, row[j]);
    }
    if (end < b.size()) row[end + 1] = more;
    // A cell depends on the two rows above it.
    if (least > at_most && least_above > at_most) return more;
    least_above = least;
    std::swap(before, above);
    std::swap(above, row);
  }
  return std::min(above[b.size()], more);
}

/// Returns the distance between byte strings, without a limit.
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  return edits_within(a, b, std::max(a.size(), b.size()));
}

}  // namespace tonearm
