#include "monitoring/process_figures.h"

#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

namespace tonearm::native {
namespace {

std::chrono::nanoseconds time_of(const timeval& value) {
  return std::chrono::seconds(value.tv_sec) + std::chrono::microseconds(value.tv_usec);
}

}  // namespace

ProcessFigures process_figures() {
  ProcessFigures figures;
  std::uint64_t pages = 0;
  std::uint64_t resident_pages = 0;
  std::ifstream statm("/proc/self/statm");
  if (statm >> pages >> resident_pages) {
    figures.resident_bytes = resident_pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  }
  rusage usage{};
  if (::getrusage(RUSAGE_SELF, &usage) == 0) figures.processor_time = time_of(usage.ru_utime) + time_of(usage.ru_stime);
  return figures;
}

}  // namespace tonearm::native
