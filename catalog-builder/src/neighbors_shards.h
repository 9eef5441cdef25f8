#pragma once
// Vectors in shards of what lies close together, and the search through the nearest shards. Integers only.

#include <cstdint>
#include <span>
#include <vector>

#include "neighbors_best.h"
#include "neighbors_scan.h"
#include "progress.h"

namespace tonearm::builder {

struct SearchOptions {
  /// How many vectors are looked at for one, at least. Where there are no more, every pair is compared.
  std::size_t looked_at = 0;
  std::uint32_t threads = 1;
};

/// For each vector, in their order, the places of the closest others. `artists` are numbers, or Best::kNoArtist. Where
/// not all are `wanted`, the lists of the rest stay empty. The result does not depend on the number of threads.
/// `progress` is told of each vector that is done.
std::vector<std::vector<std::uint32_t>> search_neighbors(std::span<const Vector> vectors,
                                                         std::span<const std::uint32_t> artists,
                                                         const std::vector<bool>& wanted, const SearchOptions& options,
                                                         Progress& progress);

}  // namespace tonearm::builder
