#pragma once
// Measurements of all samples without a spectrum: duration, loudness, peaks, silence at the ends, clipping, waveform.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "decoding/decoded_audio.h"
#include "measuring/measurements.h"

namespace tonearm::audio {

/// The lowest and highest samples of a recording whose length is unknown until its end.
class Waveform {
 public:
  void begin(std::uint32_t channels) { channels_ = channels; }
  void add(std::span<const float> block);
  /// Returns kPeakPairs pairs, or one for each frame of a shorter recording.
  std::vector<std::int8_t> peaks() const;

 private:
  struct Pair {
    float lowest = 0;
    float highest = 0;
  };
  void add_frame(Pair frame);

  std::uint32_t channels_ = 1;
  std::vector<Pair> pairs_;
  std::uint64_t frames_in_pair_ = 1;
  Pair open_;
  std::uint64_t open_frames_ = 0;
};

class LevelMeter {
 public:
  LevelMeter();
  ~LevelMeter();
  LevelMeter(const LevelMeter&) = delete;
  LevelMeter& operator=(const LevelMeter&) = delete;

  void begin(Format format);
  void add(std::span<const float> block);
  void finish(Measurements& result);

 private:
  void update_silence(std::span<const float> frame);
  void update_clipping(std::span<const float> frame);

  struct LoudnessState;
  std::unique_ptr<LoudnessState> loudness_;
  Waveform waveform_;
  Format format_;
  std::uint64_t frames_ = 0;
  std::uint64_t silent_start_ = 0;  // frames before the first audible one
  std::uint64_t silent_end_ = 0;    // frames after the last audible one
  std::uint64_t clipped_ = 0;       // samples
  std::vector<float> last_;         // the last sample of each channel
  std::vector<std::uint32_t> run_;  // the number of equal samples at full scale before it, by channel
};

std::string loudness_version();

}  // namespace tonearm::audio
