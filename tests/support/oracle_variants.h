#pragma once
// Which tracks are variants of one another (SEARCH-14), found by comparing each track with each other.

#include <cstdint>
#include <vector>

#include "tonearm/track.h"

namespace tonearm::test::oracle {

/// A number for each track; variants have the same.
std::vector<std::size_t> families_of(const std::vector<Track>& tracks);

}  // namespace tonearm::test::oracle
