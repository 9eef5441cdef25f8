#pragma once
// How long the calling thread itself worked, or waited for the disk: not for how long others had its processor. Linux.

#include <sys/resource.h>

#include <chrono>
#include <ctime>

namespace tonearm::native {

class ThreadWork {
 public:
  using Steady = std::chrono::steady_clock;

  ThreadWork() : began_(Steady::now()), worked_(processor_time()) {}

  /// Since the object was made, as of `now`. Less than `enough` is not looked at closely, and told as it is.
  std::chrono::nanoseconds took(Steady::time_point now, std::chrono::nanoseconds enough) const {
    const auto passed = now - began_;
    if (passed < enough || has_waited_for_disk()) return passed;
    return processor_time() - worked_;
  }

 private:
  static std::chrono::nanoseconds processor_time() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  }

  /// Since the thread was asked last.
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
