#include "catalog/lookup/neighbor_merge.h"

#include <algorithm>
#include <bit>

namespace tonearm::catalog {

NeighborMerge::NeighborMerge(std::size_t entries_max) : slots_(std::bit_ceil(2 * entries_max + 1)) {
  merged_.reserve(entries_max);
}

MergedNeighbor& NeighborMerge::at(std::uint32_t position) {
  constexpr std::uint64_t kSpread = 0x9e3779b97f4a7c15U;  // adjacent positions hash to distant slots
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = static_cast<std::size_t>((position * kSpread) >> 32U) & mask;
  for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
    MergedNeighbor& entry = merged_[slots_[slot] - 1];
    if (entry.position == position) return entry;
  }
  merged_.push_back({.position = position});
  slots_[slot] = static_cast<std::uint32_t>(merged_.size());
  return merged_.back();
}

std::vector<std::uint32_t> NeighborMerge::positions() const {
  std::vector<std::uint32_t> positions;
  positions.reserve(merged_.size());
  for (const MergedNeighbor& neighbor : merged_) positions.push_back(neighbor.position);
  return positions;
}

void NeighborMerge::add(std::span<const std::uint32_t> closest_first) {
  std::uint32_t rank = 0;
  for (const std::uint32_t position : closest_first) {
    ++rank;
    MergedNeighbor& neighbor = at(position);
    neighbor.best_rank = neighbor.rank_sum == 0 ? rank : std::min(neighbor.best_rank, rank);
    neighbor.rank_sum += rank;
  }
}

}  // namespace tonearm::catalog
