#pragma once
// Which blocks of a new snapshot other snapshots on disk already have. Pure.

#include <cstdint>
#include <span>
#include <vector>

#include "tonearm/block_hashes.h"

namespace tonearm::native {

/// A block that a source has under the same hash.
struct BlockCopy {
  std::uint32_t to = 0;      // its number in the new snapshot
  std::uint32_t source = 0;  // index of the source
  std::uint32_t from = 0;    // its number in the source

  friend bool operator==(const BlockCopy&, const BlockCopy&) = default;
};

/// Returns a copy for each block of `wanted` that a source has, ascending by `to`. The first source that has a block is
/// chosen, and in it the block with the same number, or else the first one.
std::vector<BlockCopy> plan_copies(const BlockHashes& wanted, std::span<const BlockHashes> sources);

}  // namespace tonearm::native
