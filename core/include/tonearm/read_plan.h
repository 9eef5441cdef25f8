#pragma once
// In how few reads blocks of a file come from afar. Pure, thread-safe.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tonearm {

/// Reads that a host has under way at once: Workers may have six connections open.
inline constexpr std::size_t kReadsAtOnce = 6;

/// Blocks side by side that come in one read.
struct BlockRun {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

/// Covers `numbers`, which ascend, each once. Where that saves journeys, blocks in short gaps come along.
std::vector<BlockRun> plan_reads(std::span<const std::uint32_t> numbers);

}  // namespace tonearm
