#pragma once
// Renders scores with FluidSynth, masters them and encodes them as Ogg Vorbis.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "composition/score.h"

namespace tonearm::demo {

inline constexpr int kSampleRate = 44'100;

/// Interleaved stereo samples.
using Samples = std::vector<float>;

/// A synthesizer with a soundfont. Not thread-safe: each thread has its own. The same score always yields the same
/// samples.
class Synthesizer {
 public:
  /// Throws Failure if the soundfont is not readable.
  explicit Synthesizer(const std::string& soundfont);
  ~Synthesizer();
  Synthesizer(const Synthesizer&) = delete;
  Synthesizer& operator=(const Synthesizer&) = delete;

  /// Renders a score. A loop is as long as its bars, and its start contains the reverberation of its end. Other pieces
  /// ring out.
  Samples render(const Score& score);

 private:
  struct Engine;
  std::string soundfont_;
  std::unique_ptr<Engine> font_cache_;  // keeps the samples of the soundfont loaded
};

struct Loudness {
  double lufs = 0;            // EBU R128, integrated; -infinity for silence
  double true_peak_dbtp = 0;  // of the louder channel
};
Loudness loudness_of(const Samples& samples);

/// Normalizes a piece to -16 LUFS with true peaks below -2 dBTP, which leaves headroom for the codec. Fades the ends of
/// pieces that are not loops. Throws Failure for silence.
void master(Samples& samples, bool is_loop);

struct SoundTags {
  std::string title;
  std::string artist;
  std::string license;  // URL of the license text
  std::string genre;
  std::string comment;
};

/// Encodes an Ogg Vorbis file. The same samples and tags yield the same bytes.
std::string ogg_vorbis(const Samples& samples, const SoundTags& tags, std::uint32_t serial);

}  // namespace tonearm::demo
