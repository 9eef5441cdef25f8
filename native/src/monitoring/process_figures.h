#pragma once
// What the system says of this process. Safe for concurrent calls.

#include <chrono>
#include <cstdint>

namespace tonearm::native {

struct ProcessFigures {
  std::uint64_t resident_bytes = 0;  // 0: not known
  std::chrono::nanoseconds processor_time{0};
};

/// A read of /proc and a system call.
ProcessFigures process_figures();

}  // namespace tonearm::native
