#pragma once
// Detects the tempo of a recording if it is steady.

#include <cstdint>
#include <span>

namespace tonearm::audio {

struct Tempo {
  std::uint32_t bpm_hundredths = 0;  // 0: none
  std::uint32_t confidence = 0;      // 0 to 100
  bool fills_loop = false;  // the recording is a whole number of beats, and its pattern continues over the seam
};

/// Whether the recording may be a loop of whole beats.
enum class TempoSearch : std::uint8_t { free, loop_first };

/// Finds the tempo by the autocorrelation of onsets at one beat, two beats and so on. Loops of a few seconds are
/// correlated across their seam, and only at whole numbers of beats. REQUIRES: at least one sample.
Tempo tempo_of(std::span<const float> mono, std::uint32_t sample_rate, TempoSearch search);

}  // namespace tonearm::audio
