#pragma once
// When a phase of a connection has to be over (HOST-22). Pure: the time is given. Not to be shared between threads.

#include <algorithm>
#include <chrono>

#include "http/http_limits.h"

namespace tonearm::native {

using Steady = std::chrono::steady_clock;

class PhaseDeadline {
 public:
  explicit PhaseDeadline(const HttpLimits& limits) : limits_(limits) {}

  /// A phase starts.
  Steady::time_point begin(Steady::time_point now) {
    end_ = now + limits_.phase_timeout;
    taken_ = 0;
    return after_progress(now);
  }

  /// Some bytes of a handshake, head or body came.
  Steady::time_point after_progress(Steady::time_point now) const {
    return std::min(end_, now + limits_.progress_timeout);
  }

  /// The client took so many bytes of an answer.
  Steady::time_point after_taking(std::size_t bytes, Steady::time_point now) {
    taken_ += bytes;
    return taken_ < limits_.answer_bytes_min ? after_progress(now) : begin(now);
  }

 private:
  const HttpLimits& limits_;
  Steady::time_point end_;
  std::size_t taken_ = 0;  // since the phase, or its last share, began
};

}  // namespace tonearm::native
