#pragma once
// What a connection is doing, and what came of it. Pure, thread-safe.

#include <cstdint>

#include "http/connection_table.h"

namespace tonearm::native {

/// What is late in `idle`, `head` and `body` stops reading, and may still be answered; what is late in the others
/// closes the connection. `work` is the server's own time and is never late. `drain` reads a body whose request was
/// answered without it.
enum class Phase : std::uint8_t { handshake, idle, head, body, drain, work, answer, close };

/// What reading came to.
enum class Input : std::uint8_t { data, end, timeout };

/// Where answers that need no waiting end: with all that came; because the connection ends behind the last one; because
/// it is the turn of other connections; before a head that is not there whole, or is wrong; before a call that waits.
enum class Ready : std::uint8_t { done, last, full, head, asked };

/// Where no request was read that is not answered.
constexpr bool ends_without_answer(Phase phase) { return phase == Phase::head || phase == Phase::drain; }

constexpr Evictable evictable_in(Phase phase) {
  if (phase == Phase::idle) return Evictable::first;
  const bool is_second = phase == Phase::handshake || phase == Phase::close || ends_without_answer(phase);
  return is_second ? Evictable::second : Evictable::never;
}

}  // namespace tonearm::native
