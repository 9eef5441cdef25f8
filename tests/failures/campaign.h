#pragma once
// How long a campaign runs, and which random numbers it uses.

#include <cstdint>
#include <cstdlib>
#include <string>

namespace tonearm::test {

/// The number in an environment variable, or `fallback` if it is not set.
inline std::uint64_t environment_number(const char* name, std::uint64_t fallback) {
  const char* const text = std::getenv(name);
  return text == nullptr ? fallback : std::stoull(text);
}

/// TONEARM_SEED repeats a run that failed.
inline std::uint64_t campaign_seed() { return environment_number("TONEARM_SEED", 1); }

}  // namespace tonearm::test
