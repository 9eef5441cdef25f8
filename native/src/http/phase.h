#pragma once
// The phases of a connection, and the results of its reads. Pure, thread-safe.

#include <cstdint>

#include "http/connection_table.h"

namespace tonearm::native {

/// A connection that is late in `idle`, `head` or `body` stops reading and may still be answered; in the other phases
/// it is closed. `work` is the server's own time and is never late. `drain` reads the body of a request that was
/// answered without it.
enum class Phase : std::uint8_t { handshake, idle, head, body, drain, work, answer, close };

/// The result of a read.
enum class Input : std::uint8_t { data, end, timeout };

/// Why inline answering stopped: all input was consumed; the last response closes the connection; other connections
/// must get their turn; the next head is incomplete or malformed; the next request must wait.
enum class InlineStop : std::uint8_t { input_consumed, last_response, turn_over, head, request };

/// Returns whether every request that was read in this phase has been answered.
constexpr bool ends_without_answer(Phase phase) { return phase == Phase::head || phase == Phase::drain; }

constexpr Evictable evictable_in(Phase phase) {
  if (phase == Phase::idle) return Evictable::first;
  const bool is_second = phase == Phase::handshake || phase == Phase::close || ends_without_answer(phase);
  return is_second ? Evictable::second : Evictable::never;
}

}  // namespace tonearm::native
