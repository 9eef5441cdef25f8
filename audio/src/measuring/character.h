#pragma once
// How a recording comes across: calm or driving, dark or bright, and what these numbers are in the words
// of the catalog.

#include <optional>

#include "measuring/measurements.h"
#include "measuring/spectrum.h"

namespace tonearm::audio {

/// Thousandths: how much begins in a second, and how strongly.
std::uint32_t energy_of(const Spectrogram& spectrogram);
/// Thousandths: where the middle of the loudness lies among the mel bands.
std::uint32_t brightness_of(const Spectrogram& spectrogram);
/// In hundreds of Hz: nothing above it is louder than -90 dB of full scale in a band of 100 Hz.
std::uint32_t bandwidth_of(const Spectrogram& spectrogram);

/// Nothing where too little is heard to tell.
std::optional<Energy> energy_of(const AudioMeasurements& measurements);
std::optional<Tone> tone_of(const AudioMeasurements& measurements);

}  // namespace tonearm::audio
