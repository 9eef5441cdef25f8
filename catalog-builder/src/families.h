#pragma once
// Numbered families: tracks of one artist and source whose titles differ in a final number alone ("Rain 01", "Rain
// 02"). They crowd a catalog with what sounds alike; the report says how many there are.

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
