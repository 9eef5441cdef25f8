#pragma once
// Measures one audio file: decodes it once and passes its samples to all measurements.

#include <optional>
#include <string>

#include "measuring/measurements.h"

namespace tonearm::audio {

struct MeasuredAudio {
  std::optional<Measurements> measurements;
  std::string error;  // why there are none: a sentence without the path
};

/// Duration, loudness, peaks, silence and clipping cover the whole file. Measurements of the spectrum cover the first
/// 30 million frames (11 minutes at 44.1 kHz), which limits memory. Safe for concurrent calls.
MeasuredAudio measure_audio(const std::string& path);

/// Returns the versions that measurements depend on: kMeasurementVersion and the libraries.
std::string measuring_version();

}  // namespace tonearm::audio
