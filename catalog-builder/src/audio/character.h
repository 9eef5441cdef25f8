#pragma once
// What measured numbers mean in the words of the catalog.

#include <optional>

#include "audio/measurements.h"

namespace tonearm::builder {

/// Nothing where too little is heard to tell.
std::optional<Energy> energy_of(const AudioMeasurements& measurements);
std::optional<Tone> tone_of(const AudioMeasurements& measurements);

}  // namespace tonearm::builder
