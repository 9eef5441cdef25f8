#include "measuring/character.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tonearm::audio {

namespace {

// Thresholds in thousandths: below the first a track is calm or dark, from the second on it is driving or bright.
constexpr std::uint32_t kSteady = 300;
constexpr std::uint32_t kDriving = 600;
constexpr std::uint32_t kWarm = 250;
constexpr std::uint32_t kBright = 600;

// Onsets in dB per second for energy 0 and 1000. Even noise has about 85.
constexpr double kCalmest = 50;
constexpr double kMostDriving = 250;
// The mel bands of brightness 0 and 1000.
constexpr double kDarkest = 5;
constexpr double kBrightest = 25;
constexpr double kAudibleBand = 1e-9;  // -90 dB
constexpr double kBandHz = 100;

std::uint32_t scaled(double value, double least, double most) {
  return static_cast<std::uint32_t>(std::lround(std::clamp((value - least) / (most - least), 0.0, 1.0) * 1'000));
}

bool is_audible(const Measurements& measurements) { return measurements.loudness_tenths.has_value(); }

}  // namespace

std::uint32_t energy_of(const Spectrogram& spectrogram) {
  double sum = 0;
  for (const auto onset : onsets_of(spectrogram, Boundary::silent)) sum += onset;
  // Recordings shorter than a second count as a second, so that a short stroke does not have a high energy.
  const auto seconds = std::max(static_cast<double>(spectrogram.frames()) / spectrogram.frames_per_second, 1.0);
  return scaled(sum / seconds, kCalmest, kMostDriving);
}

std::uint32_t brightness_of(const Spectrogram& spectrogram) {
  std::array<double, kMelBands> powers{};
  for (std::size_t i = 0; i < spectrogram.band_db.size(); ++i) {
    powers[i % kMelBands] += std::pow(10, spectrogram.band_db[i] / 10);
  }
  double sum = 0;
  double moment = 0;
  for (std::size_t band = 0; band < kMelBands; ++band) {
    const auto loudness = std::pow(powers[band] / static_cast<double>(spectrogram.frames()), kLoudnessExponent);
    sum += loudness;
    moment += loudness * static_cast<double>(band);
  }
  return sum > 0 ? scaled(moment / sum, kDarkest, kBrightest) : 0;
}

std::uint32_t bandwidth_of(const Spectrogram& spectrogram) {
  const auto bins_in_band = std::max(kBandHz / spectrogram.hz_per_bin, 1.0);
  for (auto bin = spectrogram.mean_power.size() - 1; bin > 0; --bin) {
    if (spectrogram.mean_power[bin] * bins_in_band < kAudibleBand) continue;
    const auto hz = static_cast<double>(bin) * spectrogram.hz_per_bin;
    return static_cast<std::uint32_t>(std::lround(hz / kBandHz) * std::lround(kBandHz));
  }
  return 0;
}

std::optional<Energy> energy_word(const Measurements& measurements) {
  if (!is_audible(measurements)) return std::nullopt;
  if (measurements.energy < kSteady) return Energy::calm;
  return measurements.energy < kDriving ? Energy::steady : Energy::driving;
}

std::optional<Tone> tone_word(const Measurements& measurements) {
  if (!is_audible(measurements)) return std::nullopt;
  if (measurements.brightness < kWarm) return Tone::dark;
  return measurements.brightness < kBright ? Tone::warm : Tone::bright;
}

}  // namespace tonearm::audio
