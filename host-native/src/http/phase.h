#pragma once
// What a connection is doing. Pure, thread-safe.

#include <cstdint>

#include "http/connection_table.h"

namespace tonearm::native {

/// What is late in `idle`, `head` and `body` stops reading, and may still be answered; what is late in the others
/// closes the connection. `work` is the server's own time and is never late. `drain` reads a body whose request was
/// answered without it.
enum class Phase : std::uint8_t { handshake, idle, head, body, drain, work, answer, close };

/// Where the client has no answer to lose.
constexpr bool ends_at_once(Phase phase) {
  return phase == Phase::handshake || phase == Phase::head || phase == Phase::drain;
}

constexpr Evictable evictable_in(Phase phase) {
  if (phase == Phase::idle) return Evictable::first;
  return ends_at_once(phase) ? Evictable::second : Evictable::never;
}

}  // namespace tonearm::native
