#include "tonearm/read_plan.h"

namespace tonearm {
namespace {

/// A megabyte: as much as a host can hold of several reads at once.
constexpr std::uint32_t kRunMax = 16;
/// What a gap of so many blocks costs is less than a journey of its own.
constexpr std::uint32_t kGapMax = 3;

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
  auto runs = runs_with_gaps(numbers, 0);
  if (runs.size() <= kReadsAtOnce) return runs;
  return runs_with_gaps(numbers, kGapMax);
}

}  // namespace tonearm
