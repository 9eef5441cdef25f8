#pragma once
// Memory and processor time of this process. Safe for concurrent calls.

#include <chrono>
#include <cstdint>

namespace tonearm::native {

struct ProcessUsage {
  std::uint64_t resident_bytes = 0;  // 0: unknown
  std::chrono::nanoseconds processor_time{0};
};

/// Reads /proc and makes one system call.
ProcessUsage process_usage();

}  // namespace tonearm::native
