#pragma once
// Fingerprints for tests of lookups by sound.

#include <cstdint>
#include <vector>

#include "fakes.h"

namespace tonearm::test {

/// Values that change like those of music: a few bits at each step.
inline std::vector<std::uint32_t> melody(SeededRandom& random, std::size_t count) {
  auto value = static_cast<std::uint32_t>(random.below(std::uint64_t{1} << 32U));
  std::vector<std::uint32_t> values;
  values.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    for (int change = 0; change < 4; ++change) value ^= std::uint32_t{1} << random.below(32);
    values.push_back(value);
  }
  return values;
}

}  // namespace tonearm::test
