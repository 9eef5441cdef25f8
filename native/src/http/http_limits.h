#pragma once
// The limits of the HTTP server. Tests use shorter ones.

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace tonearm::native {

struct HttpLimits {
  /// HOST-22: a phase (handshake, head, body, answer) ends if no byte arrives for this long.
  std::chrono::milliseconds progress_timeout{10'000};
  /// HOST-22: a phase also ends this long after its start. A response gets this time again for every `answer_bytes_min`
  /// that the client reads.
  std::chrono::milliseconds phase_timeout{20'000};
  std::size_t answer_bytes_min = 64 * 1024;
  /// Between two requests of a connection. A first request has `progress_timeout`.
  std::chrono::milliseconds idle_timeout{60'000};
  /// For the client to read the last response before the connection closes.
  std::chrono::milliseconds close_timeout{2'000};
  /// How often deadlines are checked.
  std::chrono::milliseconds sweep_interval{250};
  /// For both stages of a call together, so that an unresponsive database does not block it longer (HOST-29).
  std::chrono::milliseconds call_time{5'000};
  std::chrono::milliseconds health_time{1'000};
  /// HOST-47: answers in memory that clients have not read, of one client and of all. Answers shorter than
  /// `answer_bytes_min` do not count.
  std::size_t pending_bytes_per_client_max = 64U << 20U;
  std::size_t pending_bytes_max = 256U << 20U;
  std::size_t connections_max = 10'000;
  /// HOST-20: of one client. Behind a trusted proxy, concurrent requests of one client.
  std::size_t connections_per_client_max = 256;
  /// HOST-20: connections above a limit that are answered 503, except for health checks, which are served. Further
  /// connections are closed without a response.
  std::size_t refusals_max = 64;
};

enum class Compression : std::uint8_t { allowed, off };

}  // namespace tonearm::native
