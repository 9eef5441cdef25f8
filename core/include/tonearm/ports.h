#pragma once
// The ports that a host provides to the core: time, randomness and hashing. Each port is minimal; tests/support has a
// fake of each. All of them must be safe for concurrent calls.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

namespace tonearm {

using Sha256 = std::array<std::uint8_t, 32>;

/// Called repeatedly during long work; the work stops if it returns true. Empty: never stops.
using Interrupted = std::function<bool()>;

/// Wall-clock time. Unix time in milliseconds, UTC.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual std::int64_t now_ms() = 0;
};

/// Cryptographically secure random bytes.
class Random {
 public:
  virtual ~Random() = default;
  virtual void fill(std::span<std::uint8_t> out) = 0;
};

/// SHA-256 and HMAC-SHA-256 (OpenSSL natively, node:crypto on the edge).
class Hashing {
 public:
  virtual ~Hashing() = default;
  virtual Sha256 sha256(std::string_view data) = 0;
  virtual Sha256 hmac_sha256(std::string_view key, std::string_view data) = 0;
};

}  // namespace tonearm
