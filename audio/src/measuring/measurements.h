#pragma once
// The measurements of an audio file. All values are coarse integers, so that different processors build the same
// snapshot.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tonearm/track.h"

namespace tonearm::audio {

/// Raise it whenever the same file yields other measurements. Files in a cache of another version are measured again.
inline constexpr std::uint32_t kMeasurementVersion = 3;
/// The number of pairs of lowest and highest samples in a waveform.
inline constexpr std::size_t kPeakPairs = 1'000;

struct Measurements {
  std::uint64_t duration_ms = 0;  // as decoded
  std::uint32_t sample_rate = 0;  // Hz
  std::uint32_t channels = 0;

  std::uint32_t bpm_hundredths = 0;  // 0: no steady tempo
  std::uint32_t bpm_confidence = 0;  // 0 to 100
  std::string key;                   // "A minor"; empty: no clear key

  std::optional<std::int32_t> loudness_tenths;  // LUFS (EBU R128, integrated), in tenths; none: silent or too short
  std::int32_t true_peak_tenths = 0;            // dBTP, in tenths
  std::uint32_t energy = 0;                     // thousandths: 0 calm, 1000 driving
  std::uint32_t brightness = 0;                 // thousandths: 0 dark, 1000 bright

  bool is_seamless_loop = false;          // the end continues into the start without a step
  bool is_voice = false;                  // speech; always false, because speech is not detected
  std::uint32_t silence_thousandths = 0;  // of the duration, at both ends
  std::uint32_t clipped_thousandths = 0;  // of the samples
  std::uint32_t bandwidth_hz = 0;         // above it the recording is silent

  std::vector<std::int8_t> timbre;         // TrackAudio::timbre
  std::vector<std::uint32_t> fingerprint;  // TrackAudio::fingerprint
  std::vector<std::int8_t> peaks;  // kPeakPairs pairs of lowest and highest, all channels; fewer for a shorter file

  friend bool operator==(const Measurements&, const Measurements&) = default;
};

}  // namespace tonearm::audio
