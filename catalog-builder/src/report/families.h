#pragma once
// Counts families: tracks that are variants of each other (SEARCH-14), such as "Rain 01" and "Rain 02".

#include <cstdint>
#include <span>

namespace tonearm::builder {

struct FamilyCounts {
  std::uint64_t families = 0;
  std::uint64_t tracks = 0;  // in all families
};

/// Counts the families that a search with variants=collapse collapses. `family_of_track`: of `FamilyFinder::finish`.
FamilyCounts count_families(std::span<const std::uint32_t> family_of_track);

}  // namespace tonearm::builder
