#include "audio/character.h"

namespace tonearm::builder {

namespace {

// Thousandths below which a track is calm or dark, and from which on it is driving or bright.
constexpr std::uint32_t kSteady = 350;
constexpr std::uint32_t kDriving = 650;
constexpr std::uint32_t kWarm = 350;
constexpr std::uint32_t kBright = 600;

bool is_heard(const AudioMeasurements& measurements) { return measurements.loudness_tenths.has_value(); }

}  // namespace

std::optional<Energy> energy_of(const AudioMeasurements& measurements) {
  if (!is_heard(measurements)) return std::nullopt;
  if (measurements.energy < kSteady) return Energy::calm;
  return measurements.energy < kDriving ? Energy::steady : Energy::driving;
}

std::optional<Tone> tone_of(const AudioMeasurements& measurements) {
  if (!is_heard(measurements)) return std::nullopt;
  if (measurements.brightness < kWarm) return Tone::dark;
  return measurements.brightness < kBright ? Tone::warm : Tone::bright;
}

}  // namespace tonearm::builder
