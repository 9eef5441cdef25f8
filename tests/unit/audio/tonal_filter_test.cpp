#include "fingerprint/tonal_filter.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

namespace tonearm::audio {

namespace {

std::vector<float> samples_of(double seconds, double (*sample)(double seconds)) {
  std::vector<float> samples(static_cast<std::size_t>(seconds * kTonalFilterRate));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i] = static_cast<float>(sample(static_cast<double>(i) / kTonalFilterRate));
  }
  return samples;
}

double sine(double turns) { return 0.5 * std::sin(2 * std::numbers::pi * turns); }
double tone(double seconds) { return sine(440 * seconds); }
double clicks(double seconds) { return std::fmod(seconds, 0.5) < 0.001 ? 0.9 : 0; }
/// Rises by 1,000 Hz in a second, as the overtones of a voice do, and again.
double glide(double seconds) {
  const double t = std::fmod(seconds, 1);
  return sine(500 * t + 500 * t * t);
}

/// Returns the energy without half a second at both ends.
double energy(std::span<const float> samples) {
  constexpr std::size_t kEnd = kTonalFilterRate / 2;
  const auto middle = samples.subspan(kEnd, samples.size() - 2 * kEnd);
  return std::inner_product(middle.begin(), middle.end(), middle.begin(), 0.0);
}

double kept_share(std::span<const float> samples) { return energy(sustained_tones(samples)) / energy(samples); }

}  // namespace

TEST_CASE("a sustained tone passes at its own level and phase") {
  const auto samples = samples_of(6, tone);
  const auto tones = sustained_tones(samples);
  CHECK(kept_share(samples) > 0.95);
  CHECK(kept_share(samples) < 1.05);
  for (std::size_t i = samples.size() / 3; i < samples.size() / 2; ++i) {
    if (std::abs(tones[i] - samples[i]) > 0.02F) FAIL_CHECK("sample ", i);
  }
}

TEST_CASE("clicks and glides become weak") {
  CHECK(kept_share(samples_of(6, clicks)) < 0.05);
  CHECK(kept_share(samples_of(6, glide)) < 0.1);
}

TEST_CASE("a tone stays below a louder glide") {
  const auto mix = samples_of(6, [](double t) { return 0.3 * tone(t) + glide(t); });
  auto rest = sustained_tones(mix);
  const auto wanted = samples_of(6, [](double t) { return 0.3 * tone(t); });
  std::transform(rest.begin(), rest.end(), wanted.begin(), rest.begin(), std::minus<>());
  CHECK(energy(rest) < 0.5 * energy(wanted));
}

TEST_CASE("the output is as long as the input, and what is shorter than a frame is silent") {
  for (const std::size_t size : {0U, 1U, 4'095U, 4'096U, 4'097U, 9'000U, 30'001U}) {
    std::vector<float> samples(size, 0.5F);
    const auto tones = sustained_tones(samples);
    CHECK(tones.size() == size);
    if (size < 4'096) CHECK(std::ranges::count(tones, 0.F) == static_cast<std::ptrdiff_t>(size));
  }
  const std::vector<float> silence(20'000);
  CHECK(sustained_tones(silence) == silence);
}

}  // namespace tonearm::audio
