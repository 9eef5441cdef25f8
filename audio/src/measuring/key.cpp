#include "measuring/key.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "measuring/spectrum.h"

namespace tonearm::audio {

namespace {

using Chroma = std::array<double, 12>;  // from C

constexpr std::array<std::string_view, 12> kPitchNames{"C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"};
// The weight of each pitch in C major and C minor: Temperley's profiles, revised from the Kostka and Payne corpus.
constexpr Chroma kMajor{0.748, 0.060, 0.488, 0.082, 0.670, 0.460, 0.096, 0.715, 0.104, 0.366, 0.057, 0.400};
constexpr Chroma kMinor{0.712, 0.084, 0.474, 0.618, 0.049, 0.460, 0.105, 0.747, 0.404, 0.067, 0.133, 0.330};
constexpr double kKeyWindowSeconds = 0.18;  // semitones are 6 Hz apart at 100 Hz
constexpr double kLowestPitchHz = 65;
constexpr double kHighestPitchHz = 2'000;
constexpr double kA4Hz = 440;
constexpr double kCorrelationMin = 0.7;
// The distance to the second best key.
constexpr double kMarginMin = 0.04;
// The share of the power between the two frequencies that peaks must contain: noise and drums have no key.
constexpr double kTonalShareMin = 0.3;
constexpr double kSecondsMin = 1;

struct Pitches {
  Chroma chroma{};
  double peaks = 0;
  double all = 0;
};

/// Adds the peaks of a spectrum at their pitches.
void add_peaks(std::span<const float> power, double hz_per_bin, Pitches& pitches) {
  const auto first = static_cast<std::size_t>(kLowestPitchHz / hz_per_bin) + 2;
  const auto last = std::min(static_cast<std::size_t>(kHighestPitchHz / hz_per_bin), power.size() - 3);
  for (auto bin = first; bin <= last; ++bin) {
    pitches.all += power[bin];
    if (power[bin] <= power[bin - 1] || power[bin] < power[bin + 1]) continue;
    // A tone fills four bins of a Hann window, and there is little power next to them.
    const auto neighbor = std::max(power[bin - 2], power[bin + 2]);
    if (power[bin] < 8 * neighbor) continue;
    const auto left = std::log(power[bin - 1] + 1e-20);
    const auto middle = std::log(power[bin] + 1e-20);
    const auto right = std::log(power[bin + 1] + 1e-20);
    const auto bend = left - 2 * middle + right;
    const auto shift = bend < 0 ? 0.5 * (left - right) / bend : 0.0;
    const auto hz = (static_cast<double>(bin) + shift) * hz_per_bin;
    const auto semitone = std::lround(12 * std::log2(hz / kA4Hz)) + 9 + 120;
    pitches.chroma[static_cast<std::size_t>(semitone % 12)] += std::sqrt(static_cast<double>(power[bin]));
    pitches.peaks += static_cast<double>(power[bin - 1]) + power[bin] + power[bin + 1];
  }
}

Pitches pitches_of(std::span<const float> mono, std::uint32_t sample_rate) {
  PowerSpectrum spectrum(window_size(kKeyWindowSeconds, sample_rate));
  const auto hz_per_bin = static_cast<double>(sample_rate) / static_cast<double>(spectrum.window());
  Pitches pitches;
  for (std::size_t begin = 0; begin + spectrum.window() <= mono.size(); begin += spectrum.window() / 2) {
    add_peaks(spectrum.compute(mono.subspan(begin, spectrum.window())), hz_per_bin, pitches);
  }
  return pitches;
}

/// Returns Pearson's correlation of the chroma with a profile that starts at `tonic`.
double correlation_with(const Chroma& chroma, const Chroma& profile, std::size_t tonic) {
  double chroma_mean = 0;
  double profile_mean = 0;
  for (std::size_t i = 0; i < 12; ++i) {
    chroma_mean += chroma[i] / 12;
    profile_mean += profile[i] / 12;
  }
  double covariance = 0;
  double chroma_variance = 1e-12;
  double profile_variance = 1e-12;
  for (std::size_t i = 0; i < 12; ++i) {
    const auto a = chroma[(tonic + i) % 12] - chroma_mean;
    const auto b = profile[i] - profile_mean;
    covariance += a * b;
    chroma_variance += a * a;
    profile_variance += b * b;
  }
  return covariance / std::sqrt(chroma_variance * profile_variance);
}

}  // namespace

std::string key_of(std::span<const float> mono, std::uint32_t sample_rate) {
  if (static_cast<double>(mono.size()) < kSecondsMin * sample_rate) return "";
  const auto pitches = pitches_of(mono, sample_rate);
  if (pitches.all <= 0 || pitches.peaks < kTonalShareMin * pitches.all) return "";
  // A single note or a fifth has no mode.
  const auto loudest = *std::max_element(pitches.chroma.begin(), pitches.chroma.end());
  const auto sounding = std::count_if(pitches.chroma.begin(), pitches.chroma.end(),
                                      [loudest](double pitch) { return pitch > loudest / 10; });
  if (sounding < 3) return "";
  std::array<double, 24> correlation{};
  for (std::size_t tonic = 0; tonic < 12; ++tonic) {
    correlation[tonic] = correlation_with(pitches.chroma, kMajor, tonic);
    correlation[12 + tonic] = correlation_with(pitches.chroma, kMinor, tonic);
  }
  const auto best =
      static_cast<std::size_t>(std::max_element(correlation.begin(), correlation.end()) - correlation.begin());
  const auto best_correlation = correlation[best];
  correlation[best] = -1;
  const auto second = *std::max_element(correlation.begin(), correlation.end());
  if (best_correlation < kCorrelationMin || best_correlation - second < kMarginMin) return "";
  return std::string(kPitchNames[best % 12]) + (best < 12 ? " major" : " minor");
}

}  // namespace tonearm::audio
