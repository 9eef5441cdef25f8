#pragma once
// The deadline of a connection's phase (HOST-22). Pure: the caller passes the time. Not thread-safe.

#include <algorithm>
#include <chrono>

#include "http/http_limits.h"

namespace tonearm::native {

using Steady = std::chrono::steady_clock;

class PhaseDeadline {
 public:
  explicit PhaseDeadline(const HttpLimits& limits) : limits_(limits) {}

  /// Starts a phase and returns its deadline.
  Steady::time_point begin(Steady::time_point now) {
    end_ = now + limits_.phase_timeout;
    sent_ = 0;
    return after_input(now);
  }

  /// Returns the deadline after some bytes of a handshake, head or body arrived.
  Steady::time_point after_input(Steady::time_point now) const {
    return std::min(end_, now + limits_.progress_timeout);
  }

  /// Returns the deadline after the client accepted so many bytes of a response.
  Steady::time_point after_output(std::size_t bytes, Steady::time_point now) {
    sent_ += bytes;
    return sent_ < limits_.answer_bytes_min ? after_input(now) : begin(now);
  }

 private:
  const HttpLimits& limits_;
  Steady::time_point end_;
  std::size_t sent_ = 0;  // since `begin`
};

}  // namespace tonearm::native
