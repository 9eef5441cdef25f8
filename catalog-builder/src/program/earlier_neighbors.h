#pragma once
// Reads the neighbors of an earlier build as initial guesses (BUILD-25). Guesses save time but never change the result,
// so the content of the file is not trusted.

#include <string>

#include "similar/neighbors.h"
#include "tonearm/track_reader.h"

namespace tonearm::builder {

struct EarlierNeighbors {
  NeighborGuesses guesses;  // empty: none
  std::string message;      // why the file was not used, with its path; empty if it was used
};

/// Matches tracks by their ids. Never throws for the content of the file. Throws Failure if a track cannot be read.
EarlierNeighbors earlier_neighbors(const std::string& path, const TrackReader& tracks);

}  // namespace tonearm::builder
