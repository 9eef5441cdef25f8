#include "nearest.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace tonearm::settings {
namespace {

/// The distance of optimal string alignment, by rows: `before` and `above` are the two rows that came last.
std::size_t edits(std::string_view a, std::string_view b) {
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

}  // namespace

std::optional<std::string_view> nearest(std::string_view text, std::span<const std::string_view> names) {
  std::optional<std::string_view> best;
  std::size_t fewest = std::max<std::size_t>(1, text.size() / 3) + 1;
  for (const auto name : names) {
    const std::size_t count = edits(text, name);
    if (count >= fewest) continue;
    fewest = count;
    best = name;
  }
  return best;
}

}  // namespace tonearm::settings
