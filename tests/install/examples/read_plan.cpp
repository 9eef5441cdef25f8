// Plans the reads that fetch some blocks.
#include <tonearm/read_plan.h>
#include <array>

int main() {
  const std::array<std::uint32_t, 4> numbers{3, 4, 5, 900};
  std::size_t covered = 0;
  for (const tonearm::BlockRun& run : tonearm::plan_reads(numbers)) {
    for (const std::uint32_t number : numbers) covered += number >= run.first && number < run.first + run.count ? 1 : 0;
  }
  return covered == numbers.size() ? 0 : 1;
}
