#pragma once
// The bounds of the HTTP loop. Tests shorten them.

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace tonearm::native {

struct HttpLimits {
  /// For a whole head, however its bytes drip in.
  std::chrono::milliseconds head_timeout{10'000};
  std::chrono::milliseconds body_timeout{20'000};
  /// Between two requests of a connection.
  std::chrono::milliseconds idle_timeout{60'000};
  std::chrono::milliseconds write_timeout{30'000};
  /// For the client to take the last answer before the connection goes.
  std::chrono::milliseconds close_timeout{2'000};
  std::size_t connections_max = 10'000;
  /// Connections above the bound that are told so; those above these are closed without a word.
  std::size_t refusals_max = 256;
};

enum class Compression : std::uint8_t { allowed, off };

}  // namespace tonearm::native
