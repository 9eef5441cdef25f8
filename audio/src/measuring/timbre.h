#pragma once
// What a recording sounds like, whatever is played: a few numbers whose squared distance says how unlike two are.

#include <cstdint>
#include <vector>

#include "measuring/spectrum.h"

namespace tonearm::audio {

/// TrackAudio::timbre; empty for silence.
std::vector<std::int8_t> timbre_of(const Spectrogram& spectrogram);

}  // namespace tonearm::audio
