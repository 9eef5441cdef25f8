#pragma once
// Groups the blocks of a remote file into few reads. Pure, thread-safe.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tonearm {

/// The number of parallel reads of a host: Workers may have six open connections.
inline constexpr std::size_t kReadsAtOnce = 6;

/// Adjacent blocks that one read fetches.
struct BlockRun {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

/// Covers the ascending `numbers`, each once. Includes the blocks in short gaps if that saves a round of reads.
std::vector<BlockRun> plan_reads(std::span<const std::uint32_t> numbers);

}  // namespace tonearm
