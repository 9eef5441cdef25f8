#pragma once
// Power spectra and the spectrogram that tempo, timbre and character are measured on.

#include <kissfft/kiss_fftr.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tonearm::audio {

/// Spectra of windows of one size. For one thread.
class PowerSpectrum {
 public:
  /// REQUIRES: an even `window`.
  explicit PowerSpectrum(std::size_t window);

  std::size_t window() const { return hann_.size(); }
  /// window / 2 + 1 powers of a Hann window of `samples`; a sine at full scale has about 1. Valid until the next call.
  /// REQUIRES: `window` samples.
  std::span<const float> of(std::span<const float> samples);

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

/// The smallest power of two that is at least this long.
std::size_t window_of(double seconds, std::uint32_t sample_rate);

/// What stands before the first sample and after the last: silence, or, in a loop, its other end.
enum class Ends : std::uint8_t { silent, joined };

inline constexpr std::size_t kMelBands = 40;  // of 40 Hz to 16 kHz
inline constexpr float kFloorDb = -100;

struct Spectrogram {
  double frames_per_second = 0;    // about 86
  std::vector<float> band_db;      // kMelBands a frame, kFloorDb or more
  std::vector<float> power;        // of each frame, full scale 1
  std::vector<double> mean_power;  // of each bin
  double hz_per_bin = 0;

  std::size_t frames() const { return power.size(); }
  std::span<const float> bands(std::size_t frame) const {
    return std::span(band_db).subspan(frame * kMelBands, kMelBands);
  }
};

/// The middle of frame i is i / frames_per_second. A recording shorter than a window has a frame too. Of joined ends,
/// the frames divide the recording into equal parts.
/// REQUIRES: at least one sample.
Spectrogram spectrogram_of(std::span<const float> mono, std::uint32_t sample_rate, Ends ends);

/// How much louder the bands have become since two frames ago, a mean in dB a frame: peaks where sounds begin.
std::vector<float> onsets_of(const Spectrogram& spectrogram, Ends ends);

/// Hz to mel and back (O'Shaughnessy).
double mel_of(double hz);
double hz_of_mel(double mel);

}  // namespace tonearm::audio
