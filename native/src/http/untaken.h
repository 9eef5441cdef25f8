#pragma once
// What was written to a client and is not taken yet (HOST-22).

#include <sys/ioctl.h>

#include <cstddef>

#include "http/phase_deadline.h"

namespace tonearm::native {

/// What the system at the other end of a TCP socket has not acknowledged.
inline std::size_t untaken_bytes(int socket) {
  int bytes = 0;
  const bool is_known = ::ioctl(socket, TIOCOUTQ, &bytes) == 0 && bytes > 0;
  return is_known ? static_cast<std::size_t>(bytes) : 0;
}

/// Whether a client takes its answers. Pure: time and the kernel's count are given. Not to be shared between threads.
class Untaken {
 public:
  explicit Untaken(const HttpLimits& limits) : limits_(limits) {}

  void wrote(std::size_t bytes) { bytes_ += bytes; }
  /// Whether the kernel's count should be asked for before `begin`.
  bool is_vague() const { return bytes_ > limits_.answer_bytes_min; }
  void count(std::size_t bytes) { bytes_ = bytes; }

  /// From now on the client has the time of an answer for each share of it.
  void begin(Steady::time_point now) { end_ = now + limits_.phase_timeout; }
  Steady::time_point end() const { return end_; }

  /// The kernel holds `bytes`: whether the client may go on taking them.
  bool goes_on(std::size_t bytes, Steady::time_point now) {
    if (bytes > 0 && now < end_) return true;
    const bool took_its_share = bytes + limits_.answer_bytes_min <= bytes_;
    count(bytes);
    begin(now);
    return bytes > 0 && took_its_share;
  }

  /// At the last look: nothing is left.
  bool is_none() const { return bytes_ == 0; }

 private:
  const HttpLimits& limits_;
  std::size_t bytes_ = 0;  // at most
  Steady::time_point end_;
};

}  // namespace tonearm::native
