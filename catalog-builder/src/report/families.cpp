#include "report/families.h"

#include <algorithm>

namespace tonearm::builder {

FamilyCounts count_families(std::span<const std::uint32_t> family_of_track) {
  FamilyCounts counts;
  for (const std::uint32_t family : family_of_track) {
    if (family == 0) continue;
    counts.families = std::max<std::uint64_t>(counts.families, family);
    ++counts.tracks;
  }
  return counts;
}

}  // namespace tonearm::builder
