#pragma once
// Reads the neighbors of an earlier build as initial guesses (BUILD-25). Guesses save time but never change the result,
// so the content of the file is not trusted.

#include <string>
#include <vector>

#include "similar/neighbors.h"
#include "tonearm/track.h"

namespace tonearm::builder {

struct EarlierNeighbors {
  NeighborGuesses guesses;  // empty: none
  std::string message;      // why the file was not used, with its path; empty if it was used
};

/// Matches tracks by their ids. Never throws for the content of the file.
EarlierNeighbors earlier_neighbors(const std::string& path, const std::vector<Track>& tracks);

}  // namespace tonearm::builder
