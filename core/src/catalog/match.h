#pragma once
// Tracks that match groups of words, with their scores (score.h).

#include <cstdint>
#include <span>
#include <vector>

#include "catalog/index.h"
#include "catalog/query_words.h"

namespace tonearm::catalog {

struct Hit {
  std::uint32_t position = 0;
  std::uint32_t score = 0;
};

/// Tracks that match every group, by position upwards. A phrase scores the sum of weight * impact over its
/// words, a group its best phrase, a track the sum over the groups. `tracks`: how many can be found at all.
/// REQUIRES: at least one group.
std::vector<Hit> match_groups(std::span<const WordGroup> groups, Index& index, std::uint32_t tracks);

}  // namespace tonearm::catalog
