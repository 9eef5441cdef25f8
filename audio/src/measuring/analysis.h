#pragma once
// Measures one audio file: decodes it once and hands its samples to everything that measures.

#include <optional>
#include <string>

#include "measuring/measurements.h"

namespace tonearm::audio {

struct MeasuredAudio {
  std::optional<AudioMeasurements> measurements;
  std::string error;  // why there are none, a sentence without the path
};

/// Whole-file values (duration, loudness, peaks, silence, clipping) are of all samples; what needs a spectrum is of the
/// first 30 million frames (11 minutes at 44.1 kHz), the most that is held in memory. Safe for concurrent calls.
MeasuredAudio measure_audio(const std::string& path);

/// Names everything that a measurement depends on: kMeasurementVersion and the libraries.
std::string measuring_version();

}  // namespace tonearm::audio
