#pragma once
// Measures whether similar tracks are alike: half of each track's tags is hidden, and neighbors found by the rest
// should have them.

#include <iosfwd>
#include <string>
#include <vector>

#include "tonearm/track.h"

namespace tonearm::bench {

/// Prints a table row: the shares of the hidden tags that neighbors have. Energy and tone are hidden, too, because
/// sources derive them from tags.
void judge(const std::string& name, const std::vector<Track>& tracks, std::ostream& out);

}  // namespace tonearm::bench
