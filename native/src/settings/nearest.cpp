#include "settings/nearest.h"

#include <algorithm>

#include "tonearm/edits.h"

namespace tonearm::settings {

std::optional<std::string_view> nearest(std::string_view text, std::span<const std::string_view> names) {
  std::optional<std::string_view> best;
  std::size_t fewest = std::max<std::size_t>(1, text.size() / 3) + 1;
  for (const auto name : names) {
    const std::size_t count = edit_distance(text, name);
    if (count >= fewest) continue;
    fewest = count;
    best = name;
  }
  return best;
}

}  // namespace tonearm::settings
