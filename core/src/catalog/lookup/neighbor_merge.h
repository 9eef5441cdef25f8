#pragma once
// Merges lists of neighbors into one (SIMILAR-3, SIMILAR-4): best rank first, then the sum of ranks.
// Of one call; not to be shared between threads.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace tonearm::catalog {

/// A track of at least one of the lists. Ranks start at 1.
struct MergedNeighbor {
  std::uint32_t position = 0;
  std::uint32_t best_rank = 0;
  std::uint64_t rank_sum = 0;  // over the lists that hold the track

  /// The higher comes first; where it is the same, only the ids can tell. Of 200 neighbors at most (LINE-6), and sums
  /// below 2^24.
  std::uint32_t closeness() const {
    return ~(std::min(best_rank, 255U) << 24U |
             static_cast<std::uint32_t>(std::min<std::uint64_t>(rank_sum, (1U << 24U) - 1)));
  }
};

class NeighborMerge {
 public:
  /// `entries_max`: as many as all lists together have.
  explicit NeighborMerge(std::size_t entries_max);

  /// REQUIRES: each track once in a list, not more entries than announced.
  void add(std::span<const std::uint32_t> closest_first);
  /// In no order.
  const std::vector<MergedNeighbor>& merged() const { return merged_; }
  std::vector<std::uint32_t> positions() const;

 private:
  MergedNeighbor& at(std::uint32_t position);

  std::vector<MergedNeighbor> merged_;
  std::vector<std::uint32_t> slots_;  // a hash table: index into `merged_` plus 1, 0 where free
};

}  // namespace tonearm::catalog
