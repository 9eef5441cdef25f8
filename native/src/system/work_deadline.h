#pragma once
// One deadline for all the work of a thread on a call, with any number of database queries (HOST-29). The HTTP server
// sets it and a driver obeys it; the code between them does not pass it on.

#include <chrono>

namespace tonearm::native {

class WorkDeadline {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// Sets the deadline of this thread until the destructor restores the previous one.
  explicit WorkDeadline(Time until) : before_(of_thread()) { of_thread() = until; }
  ~WorkDeadline() { of_thread() = before_; }
  WorkDeadline(const WorkDeadline&) = delete;
  WorkDeadline& operator=(const WorkDeadline&) = delete;

  /// Returns the deadline of this thread. Background work has none: Time::max().
  static Time current() { return of_thread(); }

 private:
  static Time& of_thread() {
    thread_local Time until = Time::max();
    return until;
  }

  Time before_;
};

}  // namespace tonearm::native
