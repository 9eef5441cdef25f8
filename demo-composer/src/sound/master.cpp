#include <ebur128.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "sound/sound.h"
#include "tonearm/result.h"

namespace tonearm::demo {
namespace {

constexpr double kLoudnessLufs = -16.0;
constexpr double kPeakDbtp = -2.0;
constexpr float kCeiling = 0.74F;            // of samples; peaks between samples are higher
constexpr float kAttack = 1.0F / 400.0F;     // change of the gain per frame
constexpr float kRelease = 1.0F / 6'000.0F;  // share of the remaining way per frame
constexpr std::size_t kFadeIn = 88;
constexpr std::size_t kFadeOut = std::size_t{kSampleRate} * 6 / 5;

double decibels(double ratio) { return 20 * std::log10(std::max(ratio, 1e-9)); }
double ratio_of(double db) { return std::pow(10.0, db / 20); }

void amplify(Samples& samples, double ratio) {
  for (auto& sample : samples) sample *= static_cast<float>(ratio);
}

/// Limits peaks to the ceiling with a short attack and a longer release. In a loop, the start follows the end.
void limit(Samples& samples, float ceiling, bool is_loop) {
  const auto frames = samples.size() / 2;
  std::vector<float> gain(frames, 1.0F);
  for (std::size_t i = 0; i < frames; ++i) {
    const float peak = std::max(std::abs(samples[2 * i]), std::abs(samples[2 * i + 1]));
    if (peak > ceiling) gain[i] = ceiling / peak;
  }
  const auto attack = [&](std::size_t i) { gain[i] = std::min(gain[i], gain[(i + 1) % frames] + kAttack); };
  const auto release = [&](std::size_t i) {
    const float last = gain[(i + frames - 1) % frames];
    gain[i] = std::min(gain[i], last + (1 - last) * kRelease);
  };
  for (int round = 0; round < (is_loop ? 2 : 1); ++round) {
    for (auto i = frames - 1; i-- > 0;) attack(i);
    if (is_loop) attack(frames - 1);
  }
  for (int round = 0; round < (is_loop ? 2 : 1); ++round) {
    for (std::size_t i = 1; i < frames; ++i) release(i);
    if (is_loop) release(0);
  }
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i] *= gain[i / 2];
}

void fade_ends(Samples& samples) {
  const auto frames = samples.size() / 2;
  for (std::size_t i = 0; i < std::min(kFadeIn, frames); ++i) {
    const float part = static_cast<float>(i) / static_cast<float>(kFadeIn);
    samples[2 * i] *= part;
    samples[2 * i + 1] *= part;
  }
  const auto fade = std::min(kFadeOut, frames / 4);
  for (std::size_t i = 0; i < fade; ++i) {
    const float part = static_cast<float>(i) / static_cast<float>(fade);
    const auto at = frames - 1 - i;
    samples[2 * at] *= part * part;
    samples[2 * at + 1] *= part * part;
  }
}

using Meter = std::unique_ptr<ebur128_state, void (*)(ebur128_state*)>;

Meter meter_of(const Samples& samples, int mode) {
  Meter meter(ebur128_init(2, kSampleRate, mode), [](ebur128_state* state) { ebur128_destroy(&state); });
  if (meter == nullptr ||
      ebur128_add_frames_float(meter.get(), samples.data(), samples.size() / 2) != EBUR128_SUCCESS) {
    throw Failure("libebur128 failed to measure the loudness");
  }
  return meter;
}

double lufs_of(const Samples& samples) {
  double lufs = 0;
  if (ebur128_loudness_global(meter_of(samples, EBUR128_MODE_I).get(), &lufs) != EBUR128_SUCCESS) {
    throw Failure("libebur128 failed to measure the loudness");
  }
  return lufs;
}

double true_peak_of(const Samples& samples) {
  const auto meter = meter_of(samples, EBUR128_MODE_TRUE_PEAK);
  double left = 0;
  double right = 0;
  ebur128_true_peak(meter.get(), 0, &left);
  ebur128_true_peak(meter.get(), 1, &right);
  return decibels(std::max(left, right));
}

}  // namespace

Loudness loudness_of(const Samples& samples) { return {lufs_of(samples), true_peak_of(samples)}; }

void master(Samples& samples, bool is_loop) {
  if (!is_loop) fade_ends(samples);
  // Limiting lowers the loudness a little; the second round corrects it.
  for (int round = 0; round < 2; ++round) {
    const double lufs = lufs_of(samples);
    if (!std::isfinite(lufs)) throw Failure("the piece is silent");
    amplify(samples, ratio_of(kLoudnessLufs - lufs));
    limit(samples, kCeiling, is_loop);
  }
  if (const double peak = true_peak_of(samples); peak > kPeakDbtp) amplify(samples, ratio_of(kPeakDbtp - peak));
}

}  // namespace tonearm::demo
