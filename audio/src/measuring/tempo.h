#pragma once
// The tempo of a recording, where there is a steady one.

#include <cstdint>
#include <span>

namespace tonearm::audio {

struct Tempo {
  std::uint32_t bpm_hundredths = 0;  // 0: none
  std::uint32_t confidence = 0;      // 0 to 100
  bool fills_a_loop = false;  // a whole number of beats fills the recording, and its pattern goes on over the seam
};

/// Whether the ends of a recording let it be a loop that is cut to whole beats.
enum class Cut : std::uint8_t { anywhere, maybe_to_beats };

/// Steady is what repeats: onsets are compared with themselves one beat, two beats ... later. A loop of a few seconds
/// is compared around its seam, at whole numbers of beats only.
/// REQUIRES: at least one sample.
Tempo tempo_of(std::span<const float> mono, std::uint32_t sample_rate, Cut cut);

}  // namespace tonearm::audio
