#pragma once
// The character of a recording: energy, brightness and bandwidth, and the words of the catalog for them.

#include <optional>

#include "measuring/measurements.h"
#include "measuring/spectrum.h"

namespace tonearm::audio {

/// Returns thousandths: the number and the strength of onsets per second.
std::uint32_t energy_of(const Spectrogram& spectrogram);
/// Returns thousandths: the center of the loudness among the mel bands.
std::uint32_t brightness_of(const Spectrogram& spectrogram);
/// Returns Hz, rounded to hundreds. Bands of 100 Hz above it are below -90 dB of full scale.
std::uint32_t bandwidth_of(const Spectrogram& spectrogram);

/// Return the word of the catalog (BUILD-12), or nothing for a recording that is silent or too short.
std::optional<Energy> energy_word(const Measurements& measurements);
std::optional<Tone> tone_word(const Measurements& measurements);

}  // namespace tonearm::audio
