#pragma once
// Finds variants (SEARCH-14) by comparing each pair of tracks.

#include <cstdint>
#include <vector>

#include "tonearm/track.h"

namespace tonearm::test::oracle {

/// Returns a number for each track; variants have the same.
std::vector<std::size_t> families_of(const std::vector<Track>& tracks);

}  // namespace tonearm::test::oracle
