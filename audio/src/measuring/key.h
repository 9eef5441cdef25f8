#pragma once
// The key of a recording, where one is clear.

#include <cstdint>
#include <span>
#include <string>

namespace tonearm::audio {

/// "A minor", "F# major"; empty: none is clear.
std::string key_of(std::span<const float> mono, std::uint32_t sample_rate);

}  // namespace tonearm::audio
