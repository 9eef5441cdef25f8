#pragma once
// What an earlier build found similar: where to begin this time (BUILD-25). It saves time and changes nothing, so
// whatever the file holds does no harm.

#include <string>
#include <vector>

#include "similar/neighbors.h"
#include "tonearm/track.h"

namespace tonearm::builder {

struct EarlierNeighbors {
  NeighborGuesses guesses;  // empty: nothing is known
  std::string message;      // why the file was not used, naming it; empty: it was
};

/// Tracks are recognised by their ids. Never throws for what the file holds.
EarlierNeighbors earlier_neighbors(const std::string& path, const std::vector<Track>& tracks);

}  // namespace tonearm::builder
