#pragma once
// What is doubtful in the data of a snapshot, worst first (PROGRAM-25): what a person would look at before publishing.

#include <cstdint>
#include <string>
#include <vector>

#include "review/opened_snapshot.h"

namespace tonearm::builder {

struct Problem {
  static constexpr std::size_t kExamplesMax = 3;

  std::string name;  // for programs: "no_artist_to_credit"
  std::string text;  // for a person
  std::uint64_t count = 0;
  std::vector<std::string> examples;  // ids of tracks, or tags
};

/// The ten worst of those that occur: what touches licenses and credits first, then what users see, then what searches
/// lack; of equals those with most tracks. Tracks that were taken down do not count.
std::vector<Problem> worst_problems(const OpenedSnapshot& snapshot);

}  // namespace tonearm::builder
