#pragma once
// The text form of an acoustic fingerprint, as Chromaprint's programs print it (CREDIT-25). Pure, thread-safe.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tonearm {

/// The longest fingerprint in a request: a little more than two minutes of audio.
inline constexpr std::size_t kFingerprintValuesMax = 1'024;
/// From the beginning of a value's sound to that of the next one: 1,365 samples at 11,025 Hz.
inline constexpr double kFingerprintValueSeconds = 1'365.0 / 11'025.0;

/// Decodes a compressed fingerprint in base64, of either alphabet, with or without `=` at its end. Returns nothing if
/// it is not base64, of another algorithm than Chromaprint's default, truncated, longer than its header states, or has
/// more than kFingerprintValuesMax values. The fingerprint of audio that is too short for a value is empty.
std::optional<std::vector<std::uint32_t>> read_fingerprint(std::string_view base64);

}  // namespace tonearm
