#pragma once
// What a new catalog states about the changes since earlier ones (BUILD-29): the changes since the snapshot before it,
// and those that this snapshot knows since still earlier ones.

#include <vector>

#include "review/opened_snapshot.h"
#include "tonearm/catalog_changes.h"
#include "tonearm/track_reader.h"

namespace tonearm::builder {

/// Returns the changes from `before` to a catalog of `tracks`. Throws Failure for a damaged file, or if a track cannot
/// be read.
VersionChanges changes_since(const OpenedSnapshot& before, const TrackReader& tracks);

/// Returns what a snapshot knows of the changes since earlier versions. Throws Failure for a damaged file.
std::vector<VersionChanges> known_changes(const OpenedSnapshot& snapshot);

/// Removes the oldest versions until the rest fits (kKnownVersionsMax, kKnownChangesMax). Returns how many.
std::size_t drop_oldest(std::vector<VersionChanges>& log);

}  // namespace tonearm::builder
