#pragma once
// Measures the time that the calling thread worked or waited for the disk, without the time that it was preempted.
// Linux.
//
// Reading a thread's processor time is a system call, which short work must not pay each time. So the reading before
// the work may be older than the work, by at most `kReadingAgeMax`, and `elapsed` too long by as much.

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <ctime>

namespace tonearm::native {

class ThreadWork {
 public:
  using Steady = std::chrono::steady_clock;

  static constexpr std::chrono::microseconds kReadingAgeMax{200};

  explicit ThreadWork(Steady::time_point now) : began_(now), worked_(recent_processor_time(now)) {}

  /// Returns the work since construction. Elapsed time below `precise_from` is returned as it is, to save system calls.
  std::chrono::nanoseconds elapsed(Steady::time_point now, std::chrono::nanoseconds precise_from) const {
    const std::chrono::nanoseconds passed = now - began_;
    if (passed < precise_from || has_waited_for_disk()) return passed;
    return std::min(passed, processor_time() - worked_);
  }

 private:
  static std::chrono::nanoseconds recent_processor_time(Steady::time_point now) {
    thread_local Steady::time_point read_at{};
    thread_local std::chrono::nanoseconds reading{};
    if (now - read_at > kReadingAgeMax) {
      reading = processor_time();
      read_at = now;
    }
    return reading;
  }

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
