#include "fingerprint/tonal_filter.h"

#include <kissfft/kiss_fftr.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <numbers>

#include "tonearm/result.h"

namespace tonearm::audio {

namespace {

constexpr std::size_t kFrame = 4'096;
constexpr std::size_t kHop = kFrame / 4;
constexpr std::size_t kBins = kFrame / 2 + 1;
constexpr std::size_t kMedianSize = 17;  // 1.6 s along time, 46 Hz along frequency
constexpr std::size_t kReach = kMedianSize / 2;
constexpr std::size_t kVectorSize = 4;
constexpr std::size_t kPaddedBins = (kBins + kVectorSize - 1) / kVectorSize * kVectorSize;
constexpr float kTiny = 1e-12F;  // keeps silence from dividing by zero

/// The magnitudes of a frame. Both ends are padded, so that a median along frequency needs no special cases.
using Row = std::array<float, kReach + kPaddedBins + kReach>;
/// Several values that are compared at once.
using Vector [[gnu::vector_size(kVectorSize * sizeof(float))]] = float;

/// Swaps elements so that those of `low` are not above those of `high`.
void sort_pair(Vector& low, Vector& high) {
  const Vector before = low;
  low = high < before ? high : before;
  high = high < before ? before : high;
}

/// Moves the minimum of a range of values to its front and the maximum to its end.
void sort_ends(std::array<Vector, kMedianSize>& values, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin + 1; i < end; ++i) sort_pair(values[begin], values[i]);
  for (std::size_t i = begin + 1; i + 1 < end; ++i) sort_pair(values[i], values[end - 1]);
}

/// Writes the medians of 17 rows of `kPaddedBins` values.
/// Neither the minimum nor the maximum of ten of 17 values is their median. Both are dropped and the next value is
/// added, until one is left.
void write_medians(const std::array<const float*, kMedianSize>& rows, std::span<float> medians) {
  constexpr std::size_t kFirst = kReach + 2;
  for (std::size_t bin = 0; bin < kPaddedBins; bin += kVectorSize) {
    std::array<Vector, kMedianSize> values;
    for (std::size_t i = 0; i < kMedianSize; ++i) std::memcpy(&values[i], rows[i] + bin, sizeof(Vector));
    std::size_t begin = 0;
    std::size_t end = kFirst;
    for (std::size_t next = kFirst; next < kMedianSize; ++next) {
      sort_ends(values, begin, end);
      ++begin;
      values[end - 1] = values[next];
    }
    sort_ends(values, begin, end);
    std::memcpy(&medians[bin], &values[begin + 1], sizeof(Vector));
  }
}

/// Returns the index of a frame; frames beyond both ends mirror those within.
std::size_t mirrored(std::ptrdiff_t frame, std::size_t frames) {
  const auto last = static_cast<std::ptrdiff_t>(frames) - 1;
  frame = std::abs(frame);
  if (frame > last) frame = 2 * last - frame;
  return static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(frame, 0, last));
}

class TonalFilter {
 public:
  explicit TonalFilter(std::span<const float> mono) : mono_(mono), frames_((mono.size() - kFrame) / kHop + 1) {
    if (!forward_ || !inverse_) throw Failure("kissfft does not start");
    for (std::size_t i = 0; i < kFrame; ++i) {
      const auto turn = 2 * std::numbers::pi * static_cast<double>(i) / kFrame;
      window_[i] = static_cast<float>(std::sqrt(0.5 - 0.5 * std::cos(turn)));
    }
  }

  std::vector<float> run() {
    std::vector<float> tones(mono_.size());
    std::size_t analyzed = 0;
    for (std::size_t frame = 0; frame < frames_; ++frame) {
      for (; analyzed < std::min(frame + kReach + 1, frames_); ++analyzed) analyze(analyzed);
      add_tones(frame, std::span(tones).subspan(frame * kHop, kFrame));
    }
    return tones;
  }

 private:
  struct Free {
    void operator()(kiss_fftr_cfg plan) const { kiss_fftr_free(plan); }
  };
  using Plan = std::unique_ptr<kiss_fftr_state, Free>;
  /// A frame until all its neighbors in time were used.
  struct Analyzed {
    std::array<kiss_fft_cpx, kBins> bins{};
    Row magnitudes{};
  };

  void analyze(std::size_t frame) {
    auto& analyzed = ring_[frame % kMedianSize];
    const auto samples = mono_.subspan(frame * kHop, kFrame);
    std::transform(samples.begin(), samples.end(), window_.begin(), samples_.begin(), std::multiplies<>());
    kiss_fftr(forward_.get(), samples_.data(), analyzed.bins.data());
    auto& row = analyzed.magnitudes;
    for (std::size_t bin = 0; bin < kBins; ++bin) {
      const auto& value = analyzed.bins[bin];
      row[kReach + bin] = std::sqrt(value.r * value.r + value.i * value.i);
    }
    // The spectrum of real samples is symmetric at both ends.
    for (std::size_t i = 1; i <= kReach; ++i) {
      row[kReach - i] = row[kReach + i];
      row[kReach + kBins - 1 + i] = row[kReach + kBins - 1 - i];
    }
  }

  void add_tones(std::size_t frame, std::span<float> tones) {
    constexpr float kScale = 2 * static_cast<float>(kHop) / kFrame / kFrame;  // kissfft does not normalize
    auto& analyzed = ring_[frame % kMedianSize];
    std::array<const float*, kMedianSize> along_time{};
    std::array<const float*, kMedianSize> along_frequency{};
    for (std::size_t i = 0; i < kMedianSize; ++i) {
      const auto neighbor = static_cast<std::ptrdiff_t>(frame + i) - static_cast<std::ptrdiff_t>(kReach);
      along_time[i] = ring_[mirrored(neighbor, frames_) % kMedianSize].magnitudes.data() + kReach;
      along_frequency[i] = analyzed.magnitudes.data() + i;
    }
    write_medians(along_time, tonal_);
    write_medians(along_frequency, noisy_);
    for (std::size_t bin = 0; bin < kBins; ++bin) {
      const float tonal = tonal_[bin] * tonal_[bin];
      const float noisy = noisy_[bin] * noisy_[bin];
      const float share = tonal * tonal / (tonal * tonal + noisy * noisy + kTiny);
      masked_[bin] = {analyzed.bins[bin].r * share, analyzed.bins[bin].i * share};
    }
    kiss_fftri(inverse_.get(), masked_.data(), samples_.data());
    for (std::size_t i = 0; i < kFrame; ++i) tones[i] += samples_[i] * window_[i] * kScale;
  }

  std::span<const float> mono_;
  std::size_t frames_;
  Plan forward_{kiss_fftr_alloc(kFrame, 0, nullptr, nullptr)};
  Plan inverse_{kiss_fftr_alloc(kFrame, 1, nullptr, nullptr)};
  std::array<float, kFrame> window_{};
  std::array<float, kFrame> samples_{};
  std::array<Analyzed, kMedianSize> ring_{};
  std::array<float, kPaddedBins> tonal_{};
  std::array<float, kPaddedBins> noisy_{};
  std::array<kiss_fft_cpx, kBins> masked_{};
};

}  // namespace

std::vector<float> sustained_tones(std::span<const float> mono) {
  if (mono.size() < kFrame) return std::vector<float>(mono.size());
  return std::make_unique<TonalFilter>(mono)->run();
}

}  // namespace tonearm::audio
