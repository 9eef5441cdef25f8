#pragma once
// The bytes that the kernel still has to deliver to a client (HOST-22).

#include <sys/ioctl.h>

#include <cstddef>

#include "http/phase_deadline.h"

namespace tonearm::native {

/// The bytes in the send queue of a TCP socket that the peer has not acknowledged.
inline std::size_t unsent_bytes(int socket) {
  int bytes = 0;
  const bool is_known = ::ioctl(socket, TIOCOUTQ, &bytes) == 0 && bytes > 0;
  return is_known ? static_cast<std::size_t>(bytes) : 0;
}

/// Tracks whether a client reads its responses. Pure: the caller passes the time and the kernel's count. Not
/// thread-safe.
class SendBacklog {
 public:
  explicit SendBacklog(const HttpLimits& limits) : limits_(limits) {}

  void add(std::size_t bytes) { bytes_ += bytes; }
  /// Returns whether the kernel's count should be read before `begin`, because the estimate is too high.
  bool needs_refresh() const { return bytes_ > limits_.answer_bytes_min; }
  void refresh(std::size_t bytes) { bytes_ = bytes; }

  /// Gives the client the phase timeout, from now on, to read the next `answer_bytes_min`.
  void begin(Steady::time_point now) { deadline_ = now + limits_.phase_timeout; }
  Steady::time_point deadline() const { return deadline_; }

  /// Returns whether the client has `bytes` left to read and reads them fast enough.
  bool is_draining(std::size_t bytes, Steady::time_point now) {
    if (bytes > 0 && now < deadline_) return true;
    const bool has_progressed = bytes + limits_.answer_bytes_min <= bytes_;
    refresh(bytes);
    begin(now);
    return bytes > 0 && has_progressed;
  }

  /// Returns whether nothing was left at the last refresh.
  bool is_empty() const { return bytes_ == 0; }

 private:
  const HttpLimits& limits_;
  std::size_t bytes_ = 0;  // an upper bound
  Steady::time_point deadline_;
};

}  // namespace tonearm::native
