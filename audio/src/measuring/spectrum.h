#pragma once
// Power spectra, and the spectrogram for tempo, timbre and character.

#include <kissfft/kiss_fftr.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tonearm::audio {

/// Computes spectra of windows of one size. Not thread-safe.
class PowerSpectrum {
 public:
  /// REQUIRES: an even `window`.
  explicit PowerSpectrum(std::size_t window);

  std::size_t window() const { return hann_.size(); }
  /// Returns window / 2 + 1 powers of a Hann window of `samples`. A sine at full scale has about 1. Valid until the
  /// next call. REQUIRES: `window` samples.
  std::span<const float> compute(std::span<const float> samples);

 private:
  struct Free {
    void operator()(kiss_fftr_cfg plan) const { kiss_fftr_free(plan); }
  };
  std::unique_ptr<kiss_fftr_state, Free> plan_;
  std::vector<float> hann_;
  std::vector<float> windowed_;
  std::vector<kiss_fft_cpx> bins_;
  std::vector<float> power_;
};

/// Returns the smallest power of two that lasts at least so many seconds.
std::size_t window_size(double seconds, std::uint32_t sample_rate);

/// The samples beyond both ends: silence, or, in a loop, the other end.
enum class Boundary : std::uint8_t { silent, wrapped };

inline constexpr std::size_t kMelBands = 40;  // of 40 Hz to 16 kHz
inline constexpr float kFloorDb = -100;
inline constexpr double kLoudnessExponent = 0.3;  // loudness is about this power of the power

struct Spectrogram {
  double frames_per_second = 0;    // about 86
  std::vector<float> band_db;      // kMelBands per frame, at least kFloorDb
  std::vector<float> power;        // of each frame; full scale is 1
  std::vector<double> mean_power;  // of each bin
  double hz_per_bin = 0;

  std::size_t frames() const { return power.size(); }
  std::span<const float> bands(std::size_t frame) const {
    return std::span(band_db).subspan(frame * kMelBands, kMelBands);
  }
};

/// The center of frame i is at i / frames_per_second. A recording shorter than a window has one frame. With a wrapped
/// boundary, the frames divide the recording into equal parts.
/// REQUIRES: at least one sample.
Spectrogram spectrogram_of(std::span<const float> mono, std::uint32_t sample_rate, Boundary boundary);

/// Returns the mean increase of the bands over the last two frames in dB, which peaks at onsets.
std::vector<float> onsets_of(const Spectrogram& spectrogram, Boundary boundary);

}  // namespace tonearm::audio
