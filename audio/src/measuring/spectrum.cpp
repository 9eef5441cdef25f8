#include "measuring/spectrum.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>

#include "tonearm/result.h"

namespace tonearm::audio {

namespace {

constexpr double kWindowSeconds = 0.04;
constexpr double kLowestHz = 40;
constexpr double kHighestHz = 16'000;
constexpr std::size_t kHopsInWindow = 4;
constexpr std::size_t kOnsetLag = 2;
// Onsets more than this below the loudest band do not count.
constexpr float kOnsetRangeDb = 60;

double mel_of(double hz) { return 2'595 * std::log10(1 + hz / 700); }  // O'Shaughnessy

/// Triangular bands over the bins of a spectrum, evenly spaced in mel.
class MelBands {
 public:
  MelBands(std::size_t bins, double hz_per_bin) {
    const auto low = mel_of(kLowestHz);
    const auto step = (mel_of(kHighestHz) - low) / static_cast<double>(kMelBands + 1);
    for (std::size_t bin = 1; bin < bins; ++bin) {
      const auto position = (mel_of(static_cast<double>(bin) * hz_per_bin) - low) / step;
      if (position <= 0 || position >= static_cast<double>(kMelBands + 1)) continue;
      // The peak of band b is at position b + 1.
      const auto left = static_cast<std::size_t>(position);
      const auto weight = static_cast<float>(position - static_cast<double>(left));
      if (left >= 1) shares_.push_back({bin, left - 1, 1 - weight});
      if (left < kMelBands) shares_.push_back({bin, left, weight});
    }
  }

  void add_db(std::span<const float> power, std::vector<float>& result) const {
    std::array<float, kMelBands> sums{};
    for (const auto& share : shares_) sums[share.band] += share.weight * power[share.bin];
    for (const auto sum : sums) result.push_back(std::max(kFloorDb, 10 * std::log10(sum + 1e-12F)));
  }

 private:
  struct Share {
    std::size_t bin;
    std::size_t band;
    float weight;
  };
  std::vector<Share> shares_;
};

/// Copies the window around `center`.
void copy_window(std::span<const float> mono, std::size_t center, Boundary boundary, std::vector<float>& window) {
  const auto size = static_cast<std::ptrdiff_t>(mono.size());
  auto at = static_cast<std::ptrdiff_t>(center) - static_cast<std::ptrdiff_t>(window.size() / 2);
  for (auto& sample : window) {
    if (boundary == Boundary::wrapped) {
      sample = mono[static_cast<std::size_t>(((at % size) + size) % size)];
    } else {
      sample = at >= 0 && at < size ? mono[static_cast<std::size_t>(at)] : 0;
    }
    ++at;
  }
}

}  // namespace

PowerSpectrum::PowerSpectrum(std::size_t window)
    : plan_(kiss_fftr_alloc(static_cast<int>(window), 0, nullptr, nullptr)),
      hann_(window),
      windowed_(window),
      bins_(window / 2 + 1),
      power_(window / 2 + 1) {
  if (!plan_) throw Failure("kissfft does not start");
  for (std::size_t i = 0; i < window; ++i) {
    const auto turn = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(window);
    hann_[i] = static_cast<float>(0.5 - 0.5 * std::cos(turn));
  }
}

std::span<const float> PowerSpectrum::compute(std::span<const float> samples) {
  std::transform(samples.begin(), samples.end(), hann_.begin(), windowed_.begin(), std::multiplies<>());
  kiss_fftr(plan_.get(), windowed_.data(), bins_.data());
  const auto scale = 4 / static_cast<float>(window());
  std::transform(bins_.begin(), bins_.end(), power_.begin(),
                 [scale](const kiss_fft_cpx& bin) { return (bin.r * bin.r + bin.i * bin.i) * scale * scale; });
  return power_;
}

std::size_t window_size(double seconds, std::uint32_t sample_rate) {
  return std::bit_ceil(static_cast<std::size_t>(seconds * sample_rate));
}

Spectrogram spectrogram_of(std::span<const float> mono, std::uint32_t sample_rate, Boundary boundary) {
  PowerSpectrum spectrum(window_size(kWindowSeconds, sample_rate));
  const auto bins = spectrum.window() / 2 + 1;
  Spectrogram result;
  result.hz_per_bin = static_cast<double>(sample_rate) / static_cast<double>(spectrum.window());
  const MelBands bands(bins, result.hz_per_bin);
  const std::size_t whole_hop = spectrum.window() / kHopsInWindow;
  auto hop = static_cast<double>(whole_hop);
  const auto size = static_cast<double>(mono.size());
  auto frames = static_cast<std::size_t>(size / hop) + 1;
  if (boundary == Boundary::wrapped) {
    frames = std::max<std::size_t>(static_cast<std::size_t>(std::lround(size / hop)), 1);
    hop = size / static_cast<double>(frames);
  }
  result.frames_per_second = sample_rate / hop;
  result.mean_power.assign(bins, 0);
  result.band_db.reserve(frames * kMelBands);
  result.power.reserve(frames);
  std::vector<float> window(spectrum.window());
  for (std::size_t i = 0; i < frames; ++i) {
    copy_window(mono, static_cast<std::size_t>(static_cast<double>(i) * hop), boundary, window);
    const auto power = spectrum.compute(window);
    bands.add_db(power, result.band_db);
    result.power.push_back(std::accumulate(power.begin(), power.end(), 0.F));
    for (std::size_t bin = 0; bin < bins; ++bin) result.mean_power[bin] += power[bin];
  }
  for (auto& power : result.mean_power) power /= static_cast<double>(frames);
  return result;
}

std::vector<float> onsets_of(const Spectrogram& spectrogram, Boundary boundary) {
  const auto frames = spectrogram.frames();
  const auto loudest = *std::max_element(spectrogram.band_db.begin(), spectrogram.band_db.end());
  const auto floor = std::max(loudest - kOnsetRangeDb, kFloorDb);
  std::vector<float> result(frames, 0);
  for (std::size_t i = 0; i < frames; ++i) {
    const auto now = spectrogram.bands(i);
    const bool has_before = i >= kOnsetLag || boundary == Boundary::wrapped;
    const auto before = spectrogram.bands((i + frames - kOnsetLag % frames) % frames);
    float rise = 0;
    for (std::size_t band = 0; band < kMelBands; ++band) {
      rise += std::max(std::max(now[band], floor) - (has_before ? std::max(before[band], floor) : floor), 0.F);
    }
    result[i] = rise / static_cast<float>(kMelBands);
  }
  return result;
}

}  // namespace tonearm::audio
