#pragma once
// Measures the lists of a whole catalog rank by rank: how many of a track's tags its neighbors have, how many artists
// they are by, and how much filters leave.

#include <iosfwd>
#include <string>
#include <vector>

#include "tonearm/track.h"

namespace tonearm::bench {

/// `source`: the domain whose tracks are compared by tags and artists.
void judge_ranks(const std::vector<Track>& tracks, const std::string& source, std::ostream& out);

}  // namespace tonearm::bench
