#pragma once
// The text form of an acoustic fingerprint, as Chromaprint's programs print it (CREDIT-25). Pure, thread-safe.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tonearm {

/// The longest of a query: a little more than two minutes of audio.
inline constexpr std::size_t kFingerprintValuesMax = 1'024;

/// The values of a compressed fingerprint in base64, of either alphabet, with or without `=` at its end. Nothing for
/// what is no base64, of another algorithm than Chromaprint's default, cut, longer than it says, or of more than
/// kFingerprintValuesMax values. Audio that is too short for a value has an empty one.
std::optional<std::vector<std::uint32_t>> read_fingerprint(std::string_view base64);

}  // namespace tonearm
