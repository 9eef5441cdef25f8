#include "monitoring/process_usage.h"

#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

namespace tonearm::native {
namespace {

std::chrono::nanoseconds time_of(const timeval& value) {
  return std::chrono::seconds(value.tv_sec) + std::chrono::microseconds(value.tv_usec);
}

}  // namespace

ProcessUsage process_usage() {
  ProcessUsage usage;
  std::uint64_t pages = 0;
  std::uint64_t resident_pages = 0;
  std::ifstream statm("/proc/self/statm");
  if (statm >> pages >> resident_pages) {
    usage.resident_bytes = resident_pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  }
  rusage times{};
  if (::getrusage(RUSAGE_SELF, &times) == 0) usage.processor_time = time_of(times.ru_utime) + time_of(times.ru_stime);
  return usage;
}

}  // namespace tonearm::native
