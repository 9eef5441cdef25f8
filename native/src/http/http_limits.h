#pragma once
// The bounds of the HTTP loop. Tests shorten them.

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace tonearm::native {

struct HttpLimits {
  /// HOST-22: a phase (handshake, head, body, answer) ends this long after its last byte,
  std::chrono::milliseconds progress_timeout{10'000};
  /// and this long after its start, however its bytes drip. An answer gets this time again for every
  /// `answer_bytes_min` that the client takes.
  std::chrono::milliseconds phase_timeout{20'000};
  std::size_t answer_bytes_min = 64 * 1024;
  /// Between two requests of a connection. A first request has `progress_timeout`.
  std::chrono::milliseconds idle_timeout{60'000};
  /// For the client to take the last answer before the connection goes.
  std::chrono::milliseconds close_timeout{2'000};
  /// How often deadlines are looked at: what is late ends at most this much later.
  std::chrono::milliseconds sweep_interval{250};
  /// For what a call does, both stages together: a database that says nothing is waited for no longer (HOST-29).
  std::chrono::milliseconds call_time{5'000};
  std::chrono::milliseconds health_time{1'000};
  std::size_t connections_max = 10'000;
  /// HOST-20: of one client. Behind a trusted proxy, requests of one client at a time.
  std::size_t connections_per_client_max = 256;
  /// HOST-20: connections above a bound: they are told so, but for health checks, which are answered. What comes above
  /// these is closed without a word.
  std::size_t refusals_max = 64;
};

enum class Compression : std::uint8_t { allowed, off };

}  // namespace tonearm::native
