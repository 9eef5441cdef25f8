#pragma once
// Bounds what a file may decode to by its size, so that a small file cannot cost hours (BUILD-26).

#include <cstdint>
#include <optional>
#include <string>

#include "decoding/decoded_audio.h"

namespace tonearm::audio {

/// Samples of all channels that any file may decode to: eleven minutes of stereo at 48 kHz, also if it is digital
/// silence.
inline constexpr std::uint64_t kFreeSamples = std::uint64_t{1} << 26U;
/// More for each byte. Recordings have at most 20, the emptiest MP3 file 48; only silence has more, up to thousands.
inline constexpr std::uint64_t kSamplesPerByte = 64;

/// Counts the decoded samples of one file.
class SampleBudget {
 public:
  SampleBudget(std::uint64_t file_bytes, Format format);

  /// Adds samples of all channels. Returns what is wrong with the file if they are too many.
  std::optional<std::string> add(std::uint64_t samples);
  std::uint64_t used() const { return used_; }

 private:
  std::uint64_t file_bytes_;
  std::uint64_t longest_;
  std::uint64_t used_ = 0;
};

}  // namespace tonearm::audio
