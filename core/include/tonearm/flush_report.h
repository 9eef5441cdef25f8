#pragma once
// The number of rows that one flush of the state wrote, for the host's metrics. A plain value.

#include <cstddef>

namespace tonearm {

struct FlushReport {
  std::size_t counters_written = 0;
  std::size_t records_written = 0;
};

}  // namespace tonearm
