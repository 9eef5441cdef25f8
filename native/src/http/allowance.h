#pragma once
// Whether a thread of connections may answer the next call itself. A call that took long is paid for with a pause, in
// which calls go to the worker pool: so slow calls take a ninth of the thread's time at most, and connections that wait
// for it wait for one slow call, not for many in a row. Pure: the time is given. Not to be shared between threads.

#include <chrono>

namespace tonearm::native {

class Allowance {
 public:
  using Time = std::chrono::steady_clock::time_point;

  static constexpr std::chrono::milliseconds kLong{1};
  static constexpr int kPauseShare = 8;

  bool allows(Time now) const { return now >= pause_end_; }

  /// A call was answered on the thread.
  void took(std::chrono::nanoseconds work, Time now) {
    if (work >= kLong) pause_end_ = now + kPauseShare * work;
  }

 private:
  Time pause_end_ = Time::min();
};

}  // namespace tonearm::native
