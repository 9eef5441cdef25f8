#include "tonearm/read_plan.h"

#include <algorithm>

namespace tonearm {
namespace {

/// One megabyte: the largest read that a host can buffer several times.
constexpr std::uint32_t kRunMax = 16;
/// The number of unneeded blocks that cost as much as one more round of reads.
constexpr std::uint64_t kBlocksPerRound = 24;

std::uint64_t rounds(std::size_t reads) { return (reads + kReadsAtOnce - 1) / kReadsAtOnce; }

/// Returns runs of adjacent blocks, including gaps of up to `gap_max` blocks.
std::vector<BlockRun> runs_with_gaps(std::span<const std::uint32_t> numbers, std::uint32_t gap_max) {
  std::vector<BlockRun> runs;
  for (const std::uint32_t number : numbers) {
    if (!runs.empty()) {
      BlockRun& last = runs.back();
      const std::uint32_t count = number - last.first + 1;
      if (count <= kRunMax && count - last.count <= gap_max + 1) {
        last.count = count;
        continue;
      }
    }
    runs.push_back({number, 1});
  }
  return runs;
}

}  // namespace

std::vector<BlockRun> plan_reads(std::span<const std::uint32_t> numbers) {
  std::vector<BlockRun> best = runs_with_gaps(numbers, 0);
  std::uint64_t least = kBlocksPerRound * rounds(best.size());
  for (std::uint32_t gap = 1; gap < kRunMax && rounds(best.size()) > 1; ++gap) {
    std::vector<BlockRun> runs = runs_with_gaps(numbers, gap);
    std::uint64_t blocks = 0;
    for (const BlockRun& run : runs) blocks += run.count;
    const std::uint64_t cost = kBlocksPerRound * rounds(runs.size()) + blocks - numbers.size();
    if (cost >= least) continue;
    least = cost;
    best = std::move(runs);
  }
  return best;
}

}  // namespace tonearm
