#pragma once
// Scores become sound: rendered with FluidSynth, levelled and limited, encoded as Ogg Vorbis.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "demo/score.h"

namespace tonearm::builder::demo {

inline constexpr int kSampleRate = 44'100;

/// Stereo samples, left and right in turn.
using Samples = std::vector<float>;

/// One synthesizer with its soundfont; each thread has its own. The same score gives the same samples, whatever was
/// rendered before.
class Synthesizer {
 public:
  /// Throws Failure if the soundfont cannot be loaded.
  explicit Synthesizer(const std::string& soundfont);
  ~Synthesizer();
  Synthesizer(const Synthesizer&) = delete;
  Synthesizer& operator=(const Synthesizer&) = delete;

  /// A loop is as long as its bars, with the ringing of its end in its beginning; another piece rings out.
  Samples render(const Score& score);

 private:
  struct Engine;
  std::string soundfont_;
  std::unique_ptr<Engine> keeper_;  // holds the samples of the soundfont
};

struct Loudness {
  double lufs = 0;            // EBU R128, integrated; -infinity for silence
  double true_peak_dbtp = 0;  // of the louder channel
};
Loudness loudness_of(const Samples& samples);

/// Brings a piece to -16 LUFS with true peaks under -2 dBTP, which leaves room for what the codec adds; fades the ends
/// of what is no loop. Throws Failure for silence.
void master(Samples& samples, bool is_loop);

struct SoundTags {
  std::string title;
  std::string artist;
  std::string license;  // the address of its text
  std::string genre;
  std::string comment;
};

/// The bytes of an Ogg Vorbis file; the same for the same samples and tags.
std::string ogg_vorbis(const Samples& samples, const SoundTags& tags, std::uint32_t serial);

}  // namespace tonearm::builder::demo
