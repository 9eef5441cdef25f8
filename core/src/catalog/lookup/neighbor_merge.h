#pragma once
// Merges lists of neighbors into one (SIMILAR-3, SIMILAR-4): best rank first, then the sum of ranks. Used by one call
// and one thread.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace tonearm::catalog {

/// A track of at least one list. Ranks start at 1.
struct MergedNeighbor {
  std::uint32_t position = 0;
  std::uint32_t best_rank = 0;
  std::uint64_t rank_sum = 0;  // over the lists that contain the track

  /// Greater is closer; the id decides between equal values. Lists have at most 200 neighbors (LINE-6), and sums stay
  /// below 2^24.
  std::uint32_t closeness() const {
    return ~(std::min(best_rank, 255U) << 24U |
             static_cast<std::uint32_t>(std::min<std::uint64_t>(rank_sum, (1U << 24U) - 1)));
  }
};

class NeighborMerge {
 public:
  /// `entries_max`: the total length of all lists.
  explicit NeighborMerge(std::size_t entries_max);

  /// REQUIRES: no track is repeated in a list; all lists together have at most `entries_max` entries.
  void add(std::span<const std::uint32_t> closest_first);
  /// In no order.
  const std::vector<MergedNeighbor>& merged() const { return merged_; }
  std::vector<std::uint32_t> positions() const;

 private:
  MergedNeighbor& at(std::uint32_t position);

  std::vector<MergedNeighbor> merged_;
  std::vector<std::uint32_t> slots_;  // a hash table: index into `merged_` plus 1; 0: free
};

}  // namespace tonearm::catalog
