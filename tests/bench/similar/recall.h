#pragma once
// Measures how long the neighbors of a generated catalog take, and how many of the exact ones are found.

#include <cstdint>
#include <iosfwd>

namespace tonearm::bench {

struct RecallOptions {
  std::uint32_t tracks = 10'000;
  std::uint32_t asked = 1'000;       // tracks whose lists are compared with exact ones; 0: no list is stored
  std::uint32_t compared_count = 0;  // 0: as a build does
  std::uint32_t threads = 0;         // 0: as many as the machine runs at once
};

void measure_recall(const RecallOptions& options, std::ostream& out);

}  // namespace tonearm::bench
