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
// How well each pitch fits a key of C: Temperley's profiles, as revised from the Kostka and Payne corpus.
constexpr Chroma kMajor{0.748, 0.060, 0.488, 0.082, 0.670, 0.460, 0.096, 0.715, 0.104, 0.366, 0.057, 0.400};
constexpr Chroma kMinor{0.712, 0.084, 0.474, 0.618, 0.049, 0.460, 0.105, 0.747, 0.404, 0.067, 0.133, 0.330};
constexpr double kKeyWindowSeconds = 0.18;  // semitones are 6 Hz apart at 100 Hz
constexpr double kLowestPitchHz = 65;
constexpr double kHighestPitchHz = 2'000;
constexpr double kA4Hz = 440;
constexpr double kClearLikeness = 0.7;
// Beyond the second best key, but for those that share all but a note with it.
constexpr double kClearMargin = 0.04;
// Of the power between the two frequencies, the least that stands in peaks: noise and drums have no key.
constexpr double kTonalShare = 0.3;
constexpr double kShortestKeySeconds = 1;

struct Pitches {
  Chroma chroma{};
  double peaks = 0;
  double all = 0;
};

/// Adds what of a spectrum stands in peaks, each at its pitch.
void add_peaks(std::span<const float> power, double hz_per_bin, Pitches& pitches) {
  const auto first = static_cast<std::size_t>(kLowestPitchHz / hz_per_bin) + 2;
  const auto last = std::min(static_cast<std::size_t>(kHighestPitchHz / hz_per_bin), power.size() - 3);
  for (auto bin = first; bin <= last; ++bin) {
    pitches.all += power[bin];
    if (power[bin] <= power[bin - 1] || power[bin] < power[bin + 1]) continue;
    // A tone fills the four bins of a Hann window; beyond them there is little beside it.
    const auto beside = std::max(power[bin - 2], power[bin + 2]);
    if (power[bin] < 8 * beside) continue;
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
  PowerSpectrum spectrum(window_of(kKeyWindowSeconds, sample_rate));
  const auto hz_per_bin = static_cast<double>(sample_rate) / static_cast<double>(spectrum.window());
  Pitches pitches;
  for (std::size_t begin = 0; begin + spectrum.window() <= mono.size(); begin += spectrum.window() / 2) {
    add_peaks(spectrum.of(mono.subspan(begin, spectrum.window())), hz_per_bin, pitches);
  }
  return pitches;
}

/// Pearson's correlation of the chroma with a profile whose C is `tonic`.
double likeness_to(const Chroma& chroma, const Chroma& profile, std::size_t tonic) {
  double chroma_mean = 0;
  double profile_mean = 0;
  for (std::size_t i = 0; i < 12; ++i) {
    chroma_mean += chroma[i] / 12;
    profile_mean += profile[i] / 12;
  }
  double both = 0;
  double of_chroma = 1e-12;
  double of_profile = 1e-12;
  for (std::size_t i = 0; i < 12; ++i) {
    const auto a = chroma[(tonic + i) % 12] - chroma_mean;
    const auto b = profile[i] - profile_mean;
    both += a * b;
    of_chroma += a * a;
    of_profile += b * b;
  }
  return both / std::sqrt(of_chroma * of_profile);
}

}  // namespace

std::string key_of(std::span<const float> mono, std::uint32_t sample_rate) {
  if (static_cast<double>(mono.size()) < kShortestKeySeconds * sample_rate) return "";
  const auto pitches = pitches_of(mono, sample_rate);
  if (pitches.all <= 0 || pitches.peaks < kTonalShare * pitches.all) return "";
  // One note, or a fifth, has no mode.
  const auto loudest = *std::max_element(pitches.chroma.begin(), pitches.chroma.end());
  const auto heard = std::count_if(pitches.chroma.begin(), pitches.chroma.end(),
                                   [loudest](double pitch) { return pitch > loudest / 10; });
  if (heard < 3) return "";
  std::array<double, 24> likeness{};
  for (std::size_t tonic = 0; tonic < 12; ++tonic) {
    likeness[tonic] = likeness_to(pitches.chroma, kMajor, tonic);
    likeness[12 + tonic] = likeness_to(pitches.chroma, kMinor, tonic);
  }
  const auto best = static_cast<std::size_t>(std::max_element(likeness.begin(), likeness.end()) - likeness.begin());
  const auto best_likeness = likeness[best];
  likeness[best] = -1;
  const auto second = *std::max_element(likeness.begin(), likeness.end());
  if (best_likeness < kClearLikeness || best_likeness - second < kClearMargin) return "";
  return std::string(kPitchNames[best % 12]) + (best < 12 ? " major" : " minor");
}

}  // namespace tonearm::audio
