#pragma once
// Finds doubtful data in a snapshot, worst first (PROGRAM-25), for review before publishing.

#include <cstdint>
#include <string>
#include <vector>

#include "review/opened_snapshot.h"

namespace tonearm::builder {

struct Problem {
  static constexpr std::size_t kExamplesMax = 3;

  std::string name;  // for programs: "no_artist_to_credit"
  std::string text;  // for the operator
  std::uint64_t count = 0;
  std::vector<std::string> examples;  // ids of tracks, or tags
};

/// Returns the ten worst problems that occur: first licenses and credits, then what users see, then what searches lack;
/// ties go to the problem with more tracks. Ignores taken-down tracks.
std::vector<Problem> worst_problems(const OpenedSnapshot& snapshot);

}  // namespace tonearm::builder
