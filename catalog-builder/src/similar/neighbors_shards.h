#pragma once
// Groups close vectors into shards and searches the nearest shards. Integers only.

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/progress.h"
#include "similar/neighbors_best.h"
#include "similar/neighbors_scan.h"

namespace tonearm::builder {

struct SearchOptions {
  /// The least number of vectors that are compared with one. With no more vectors than that, every pair is compared.
  std::size_t looked_at = 0;
  std::uint32_t threads = 1;
};

/// For each vector, in order, the indices of the closest others. `artists` are numbers, or Best::kNoArtist. The lists
/// of vectors that are not `wanted` stay empty. The result does not depend on the number of threads. `progress` counts
/// the vectors that are done.
std::vector<std::vector<std::uint32_t>> search_neighbors(std::span<const Vector> vectors,
                                                         std::span<const std::uint32_t> artists,
                                                         const std::vector<bool>& wanted, const SearchOptions& options,
                                                         Progress& progress);

}  // namespace tonearm::builder
