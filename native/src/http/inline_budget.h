#pragma once
// Whether an I/O thread may answer the next request inline. After a slow request, the thread sends requests to the
// worker pool for eight times as long, so slow requests take at most a ninth of its time. Pure: the caller passes the
// time. Not thread-safe.

#include <chrono>

namespace tonearm::native {

class InlineBudget {
 public:
  using Time = std::chrono::steady_clock::time_point;

  static constexpr std::chrono::milliseconds kSlow{1};
  static constexpr int kPauseFactor = 8;

  bool is_available(Time now) const { return now >= pause_end_; }

  /// Charges a request that was answered inline and took `work`.
  void charge(std::chrono::nanoseconds work, Time now) {
    if (work >= kSlow) pause_end_ = now + kPauseFactor * work;
  }

 private:
  Time pause_end_ = Time::min();
};

}  // namespace tonearm::native
