#pragma once
// What a whole catalog's lists hold, rank by rank: how many of a track's tags its neighbors have, by how many artists
// they are, and whether filters leave something of them.

#include <iosfwd>
#include <string>
#include <vector>

#include "tonearm/track.h"

namespace tonearm::bench {

/// `source`: the domain whose tracks are asked about for tags and artists.
void judge_ranks(const std::vector<Track>& tracks, const std::string& source, std::ostream& out);

}  // namespace tonearm::bench
