#pragma once
// Measures the time that the calling thread worked or waited for the disk, without the time that it was preempted.
// Linux.

#include <sys/resource.h>

#include <chrono>
#include <ctime>

namespace tonearm::native {

class ThreadWork {
 public:
  using Steady = std::chrono::steady_clock;

  ThreadWork() : began_(Steady::now()), worked_(processor_time()) {}

  /// Returns the work since construction. Elapsed time below `precise_from` is returned as it is, to save system calls.
  std::chrono::nanoseconds elapsed(Steady::time_point now, std::chrono::nanoseconds precise_from) const {
    const auto passed = now - began_;
    if (passed < precise_from || has_waited_for_disk()) return passed;
    return processor_time() - worked_;
  }

 private:
  static std::chrono::nanoseconds processor_time() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  }

  /// Returns whether the thread has read from the disk since the previous call.
  static bool has_waited_for_disk() {
    thread_local long reads_before = 0;
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);
    const bool has_more = usage.ru_majflt != reads_before;
    reads_before = usage.ru_majflt;
    return has_more;
  }

  Steady::time_point began_;
  std::chrono::nanoseconds worked_;
};

}  // namespace tonearm::native
