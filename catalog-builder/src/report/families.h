#pragma once
// Families: tracks that are variants of one another (SEARCH-14), as "Rain 01" and "Rain 02". They fill a catalog with
// tracks that sound alike; the report counts them.

#include <cstdint>
#include <span>

#include "tonearm/track.h"

namespace tonearm::builder {

struct FamilyCounts {
  std::uint64_t families = 0;
  std::uint64_t tracks = 0;  // in all of them
};

/// Those that a search with variants=collapse knows.
FamilyCounts count_families(std::span<const Track> tracks);

}  // namespace tonearm::builder
