#include "report/families.h"

#include <algorithm>

#include "domain/variants.h"

namespace tonearm::builder {

FamilyCounts count_families(std::span<const Track> tracks) {
  FamilyFinder finder;
  for (const Track& track : tracks) finder.add(track);
  FamilyCounts counts;
  for (const std::uint32_t family : finder.finish()) {
    if (family == 0) continue;
    counts.families = std::max<std::uint64_t>(counts.families, family);
    ++counts.tracks;
  }
  return counts;
}

}  // namespace tonearm::builder
