#include "measuring/timbre.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "tonearm/track.h"

namespace tonearm::audio {

namespace {

constexpr std::size_t kMeans = 10;      // means of cepstral coefficients
constexpr std::size_t kDeviations = 6;  // deviations of cepstral coefficients
constexpr float kAudibleDb = 60;        // below the loudest band
constexpr double kSilence = 1e-9;
constexpr double kUnit = 24;  // the value of one standard deviation

/// The mean and standard deviation of a number among the 166 recordings of sonic-pi-samples.
struct Scale {
  double middle;
  double deviation;
};

using Cepstrum = std::array<double, kMeans>;

/// Returns the cepstral coefficients 1 to kMeans of a frame, which describe its spectrum without its loudness.
Cepstrum cepstrum_of(std::span<const float> bands) {
  static const auto kCosines = [] {
    std::array<std::array<double, kMelBands>, kMeans> table{};
    for (std::size_t i = 0; i < kMeans; ++i) {
      for (std::size_t b = 0; b < kMelBands; ++b) {
        const auto turn = (static_cast<double>(b) + 0.5) / static_cast<double>(kMelBands);
        table[i][b] = std::cos(std::numbers::pi * static_cast<double>(i + 1) * turn) / kMelBands;
      }
    }
    return table;
  }();
  // Bands far below the loudest one are inaudible.
  const auto floor = *std::max_element(bands.begin(), bands.end()) - kAudibleDb;
  Cepstrum result{};
  for (std::size_t i = 0; i < kMeans; ++i) {
    for (std::size_t b = 0; b < kMelBands; ++b) result[i] += kCosines[i][b] * std::max(bands[b], floor);
  }
  return result;
}

/// Returns the spectral flatness: 0 dB for noise, far below for a tone.
double flatness_of(std::span<const float> bands) {
  double powers = 0;
  double decibels = 0;
  for (const auto band : bands) {
    powers += std::pow(10, band / 10);
    decibels += band;
  }
  return decibels / kMelBands - 10 * std::log10(powers / kMelBands);
}

/// The mean and deviation of a number over all frames, weighted by their loudness.
struct WeightedStats {
  double sum = 0;
  double squares = 0;
  void add(double value, double weight) {
    sum += value * weight;
    squares += value * value * weight;
  }
  double mean(double weights) const { return sum / weights; }
  double deviation(double weights) const {
    const auto middle = mean(weights);
    return std::sqrt(std::max(squares / weights - middle * middle, 0.0));
  }
};

/// The loudness over time, which distinguishes strokes, swells and hums.
struct Envelope {
  double attack = 0;  // log2 of the seconds to the loudest frame
  double middle = 0;  // center of the loudness, as a share of the audible duration
  double length = 0;  // log2 of the audible seconds
  double decay = 0;   // dB per frame between the loudest and the last audible frame
};

Envelope envelope_of(const Spectrogram& spectrogram, const std::vector<double>& weights) {
  const auto is_audible = [](double weight) { return weight > 0; };
  const auto first = std::find_if(weights.begin(), weights.end(), is_audible);
  const auto last = std::find_if(weights.rbegin(), weights.rend(), is_audible).base();
  const auto loudest = std::max_element(first, last);
  const auto seconds = [&](std::ptrdiff_t frames) {
    return (static_cast<double>(frames) + 0.5) / spectrogram.frames_per_second;
  };
  double moment = 0;
  double sum = 0;
  for (auto at = first; at != last; ++at) {
    moment += *at * static_cast<double>(at - first);
    sum += *at;
  }
  Envelope result;
  result.attack = std::log2(seconds(loudest - first));
  result.length = std::log2(seconds(last - first));
  result.middle = moment / sum / static_cast<double>(last - first);
  result.decay =
      10 / kLoudnessExponent * std::log10(*loudest / *(last - 1)) / std::sqrt(static_cast<double>(last - loudest));
  return result;
}

constexpr std::array<Scale, kTimbreSize> kScales{{
    {5.4, 4.29},  {0.05, 3.25}, {1.5, 1.86},   {0.15, 1.54},  // means of the cepstrum
    {0.5, 1.26},  {0.18, 1.14}, {0.32, 1.0},   {0.17, 1.07}, {0.23, 0.9},
    {0.17, 0.78}, {1.53, 1.21}, {1.05, 0.8},   {0.68, 0.52}, {0.57, 0.4},  // deviations
    {0.47, 0.3},  {0.44, 0.28}, {-18, 15.5},   {4.35, 3.73},               // flatness
    {0.91, 0.4},  {0.57, 0.39},                                            // change
    {-5.1, 2.76}, {0.32, 0.1},  {-0.15, 1.81}, {6, 3.45},                  // envelope
}};

std::vector<double> raw_timbre(const Spectrogram& spectrogram) {
  const auto loudest = *std::max_element(spectrogram.power.begin(), spectrogram.power.end());
  if (loudest < kSilence) return {};
  std::vector<double> weights(spectrogram.frames(), 0);
  std::array<WeightedStats, kMeans> cepstra;
  WeightedStats flatness;
  WeightedStats change;
  double sum = 0;
  Cepstrum before{};
  for (std::size_t i = 0; i < spectrogram.frames(); ++i) {
    const auto relative = static_cast<double>(spectrogram.power[i]) / loudest;
    if (relative < 1e-6) continue;
    const auto weight = weights[i] = std::pow(relative, kLoudnessExponent);
    const auto cepstrum = cepstrum_of(spectrogram.bands(i));
    double step = 0;
    for (std::size_t c = 0; c < kMeans; ++c) {
      cepstra[c].add(cepstrum[c], weight);
      step += (cepstrum[c] - before[c]) * (cepstrum[c] - before[c]);
    }
    flatness.add(flatness_of(spectrogram.bands(i)), weight);
    if (sum > 0) change.add(std::sqrt(step), weight);
    before = cepstrum;
    sum += weight;
  }
  std::vector<double> result;
  result.reserve(kTimbreSize);
  for (const auto& cepstrum : cepstra) result.push_back(cepstrum.mean(sum));
  for (std::size_t c = 0; c < kDeviations; ++c) result.push_back(cepstra[c].deviation(sum));
  result.push_back(flatness.mean(sum));
  result.push_back(flatness.deviation(sum));
  result.push_back(change.mean(sum));
  result.push_back(change.deviation(sum));
  const auto envelope = envelope_of(spectrogram, weights);
  result.insert(result.end(), {envelope.attack, envelope.middle, envelope.length, envelope.decay});
  return result;
}

}  // namespace

std::vector<std::int8_t> timbre_of(const Spectrogram& spectrogram) {
  const auto raw = raw_timbre(spectrogram);
  std::vector<std::int8_t> result;
  result.reserve(raw.size());
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const auto scaled = kUnit * (raw[i] - kScales[i].middle) / kScales[i].deviation;
    result.push_back(static_cast<std::int8_t>(std::lround(std::clamp(scaled, -127.0, 127.0))));
  }
  return result;
}

}  // namespace tonearm::audio
