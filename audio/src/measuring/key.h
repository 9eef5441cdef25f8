#pragma once
// Detects the musical key of a recording.

#include <cstdint>
#include <span>
#include <string>

namespace tonearm::audio {

/// Returns "A minor", "F# major" and the like; empty if no key is clear.
std::string key_of(std::span<const float> mono, std::uint32_t sample_rate);

}  // namespace tonearm::audio
