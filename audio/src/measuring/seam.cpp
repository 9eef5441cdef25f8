#include "measuring/seam.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace tonearm::audio {

namespace {

// Shorter recordings are never loops.
constexpr double kLoopSecondsMin = 0.8;
constexpr double kPartSeconds = 0.05;
constexpr std::size_t kOrder = 24;       // of the linear prediction
constexpr std::size_t kSeamSamples = 4;  // samples after the seam to predict
constexpr std::size_t kFitSamples = 4'096;
constexpr double kSilentDb = -60;
constexpr double kSoundingDb = 25;  // below the loudest part
constexpr double kEvenDb = 6;       // above the largest step inside
constexpr double kSmooth = 1.3;     // times the 99th percentile of the prediction errors

std::vector<double> levels_of(std::span<const float> mono, std::size_t part) {
  const auto parts = mono.size() / part;
  std::vector<double> levels;
  levels.reserve(parts);
  for (std::size_t i = 0; i < parts; ++i) {
    // The last part ends at the end of the recording.
    const auto begin = i + 1 == parts ? mono.size() - part : i * part;
    double sum = 1e-12;
    for (const auto sample : mono.subspan(begin, part)) sum += static_cast<double>(sample) * sample;
    levels.push_back(10 * std::log10(sum / static_cast<double>(part)));
  }
  return levels;
}

/// Returns the coefficients of linear prediction (Levinson-Durbin) of order kOrder.
std::array<double, kOrder> predictor_of(std::span<const float> samples) {
  std::array<double, kOrder + 1> correlation{};
  for (std::size_t lag = 0; lag <= kOrder; ++lag) {
    for (auto i = lag; i < samples.size(); ++i) correlation[lag] += static_cast<double>(samples[i]) * samples[i - lag];
  }
  std::array<double, kOrder> result{};
  double error = correlation[0] * (1 + 1e-9) + 1e-12;
  for (std::size_t i = 0; i < kOrder; ++i) {
    double reflection = correlation[i + 1];
    for (std::size_t j = 0; j < i; ++j) reflection -= result[j] * correlation[i - j];
    reflection /= error;
    auto next = result;
    next[i] = reflection;
    for (std::size_t j = 0; j < i; ++j) next[j] = result[j] - reflection * result[i - 1 - j];
    result = next;
    error *= 1 - reflection * reflection;
  }
  return result;
}

/// Returns the error of the prediction of the sample at `i`.
double prediction_error(std::span<const float> samples, std::size_t i, const std::array<double, kOrder>& predictor) {
  double expected = 0;
  for (std::size_t j = 0; j < kOrder; ++j) expected += predictor[j] * samples[i - 1 - j];
  return std::fabs(samples[i] - expected);
}

/// Returns the prediction error at the seam, relative to the 99th percentile around it.
double click_ratio(std::span<const float> mono) {
  const auto side = std::min(kFitSamples, mono.size() / 2);
  std::vector<float> joined(mono.end() - static_cast<std::ptrdiff_t>(side), mono.end());
  joined.insert(joined.end(), mono.begin(), mono.begin() + static_cast<std::ptrdiff_t>(side));
  const auto predictor = predictor_of(joined);
  double at_seam = 0;
  std::vector<double> other_errors;
  for (auto i = kOrder; i < joined.size(); ++i) {
    const auto value = prediction_error(joined, i, predictor);
    if (i >= side && i < side + kSeamSamples) {
      at_seam = std::max(at_seam, value);
    } else {
      other_errors.push_back(value);
    }
  }
  const auto rank = other_errors.begin() + static_cast<std::ptrdiff_t>(other_errors.size() * 99 / 100);
  std::nth_element(other_errors.begin(), rank, other_errors.end());
  return at_seam / (*rank + 1e-6);
}

}  // namespace

Seam seam_of(std::span<const float> mono, std::uint32_t sample_rate) {
  if (static_cast<double>(mono.size()) < kLoopSecondsMin * sample_rate) return {};
  const auto levels = levels_of(mono, static_cast<std::size_t>(kPartSeconds * sample_rate));
  double rise = 0;
  double fall = 0;
  for (std::size_t i = 1; i < levels.size(); ++i) {
    rise = std::max(rise, levels[i] - levels[i - 1]);
    fall = std::max(fall, levels[i - 1] - levels[i]);
  }
  const auto step = levels.front() - levels.back();
  const auto sounding = std::max(*std::max_element(levels.begin(), levels.end()) - kSoundingDb, kSilentDb);
  Seam seam;
  seam.starts_with_sound = levels.front() > sounding;
  seam.is_sounding = seam.starts_with_sound && levels.back() > sounding;
  seam.is_even = step <= rise + kEvenDb && -step <= fall + kEvenDb;
  seam.is_smooth = click_ratio(mono) < kSmooth;
  return seam;
}

}  // namespace tonearm::audio
