#pragma once
// Chromaprint's fingerprint of the first fifteen minutes (CREDIT-26), which identifies a recording in any encoding.

#include <chromaprint.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "decoding/decoded_audio.h"

namespace tonearm::audio {

class Fingerprinter {
 public:
  /// Throws Failure if Chromaprint is not installed.
  Fingerprinter();

  void begin(Format format);
  void add(std::span<const float> block);
  /// Returns TrackAudio::fingerprint; empty if the recording is too short.
  std::vector<std::uint32_t> finish();

 private:
  std::unique_ptr<ChromaprintContext, decltype(&chromaprint_free)> context_;
  std::uint32_t channels_ = 0;
  std::uint64_t samples_left_ = 0;  // of all channels
  std::vector<std::int16_t> buffer_;
};

/// Returns Chromaprint's compressed form in base64, as `fpcalc` prints it (CREDIT-25).
std::string compressed_fingerprint(std::span<const std::uint32_t> values);

std::string fingerprint_version();

}  // namespace tonearm::audio
