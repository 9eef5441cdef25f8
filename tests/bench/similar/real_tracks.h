#pragma once
// Reads the real metadata beside the project.

#include <functional>
#include <string>
#include <vector>

#include "tonearm/track.h"

namespace tonearm::bench {

/// Whether there is a folder of this name.
bool has_data(const std::string& source);

/// Returns the names of all folders with a mapping, sorted.
std::vector<std::string> all_sources();

/// Reads folders together, as sources state them: with share-alike licenses, because more tracks give a better
/// estimate.
std::vector<Track> read_tracks(const std::vector<std::string>& sources);

/// Reads the tracks of the evaluation profile (BUILD-3) that have a title, from all folders, and cleans them as a build
/// does. `change` is applied before.
std::vector<Track> read_clean_tracks(const std::function<void(std::vector<Track>&)>& change);

}  // namespace tonearm::bench
