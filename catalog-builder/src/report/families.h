#pragma once
// Numbered families: tracks of one artist and source whose titles differ only in a final number ("Rain 01", "Rain 02").
// They fill a catalog with tracks that sound alike; the report counts them.

#include <cstdint>
#include <span>
#include <string>

#include "tonearm/track.h"

namespace tonearm::builder {

/// The title without its final number and what sets that apart, case-folded: "Rain (take #02)" and "rain_2" to "rain
/// (take" and "rain". Empty where it ends in no number, or is nothing else.
std::string family_title(const std::string& title);

struct FamilyCounts {
  std::uint64_t families = 0;
  std::uint64_t tracks = 0;  // in all of them
};

/// Families of at least two tracks.
FamilyCounts count_families(std::span<const Track> tracks);

}  // namespace tonearm::builder
