#pragma once
// The timbre of a recording: numbers whose squared distance measures how different two recordings sound.

#include <cstdint>
#include <vector>

#include "measuring/spectrum.h"

namespace tonearm::audio {

/// Returns TrackAudio::timbre; empty for silence.
std::vector<std::int8_t> timbre_of(const Spectrogram& spectrogram);

}  // namespace tonearm::audio
