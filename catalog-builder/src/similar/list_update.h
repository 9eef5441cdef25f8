#pragma once
// Tells whether lists of an earlier build, updated for tracks whose terms changed, are those that comparing all tracks
// would give. Pure, thread-safe.

#include <span>

#include "similar/neighbor_collector.h"

namespace tonearm::builder {

/// `before`: the lists of a track with the terms before. `now`: the best of the tracks in these lists and of all tracks
/// that gained terms, with the terms now. `traits` are those now, by index. Returns true only if no other track can be
/// in any list. May return false although none can.
bool are_final(const NeighborLists& before, const NeighborLists& now, std::span<const Traits> traits);

}  // namespace tonearm::builder
