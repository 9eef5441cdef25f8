#pragma once
// One deadline for all that a thread does for a call, however often it asks a database in between (HOST-29): the HTTP
// loop sets it, a driver obeys it, and nothing between them has to hand it on.

#include <chrono>

namespace tonearm::native {

class WorkDeadline {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// From now on, until its end, the work of this thread has to be done by then.
  explicit WorkDeadline(Time until) : before_(of_thread()) { of_thread() = until; }
  ~WorkDeadline() { of_thread() = before_; }
  WorkDeadline(const WorkDeadline&) = delete;
  WorkDeadline& operator=(const WorkDeadline&) = delete;

  /// That of this thread; work in the background has none: the end of time.
  static Time current() { return of_thread(); }

 private:
  static Time& of_thread() {
    thread_local Time until = Time::max();
    return until;
  }

  Time before_;
};

}  // namespace tonearm::native
