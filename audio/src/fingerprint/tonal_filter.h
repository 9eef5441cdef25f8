#pragma once
// Removes speech from music before it is fingerprinted: sustained tones stay, and voices and strokes become weak.

#include <cstdint>
#include <span>
#include <vector>

namespace tonearm::audio {

/// The sample rate of the filter in Hz, which is also that of Chromaprint.
inline constexpr std::uint32_t kTonalFilterRate = 11'025;

/// Returns the sustained tones of mono samples at `kTonalFilterRate`, as many samples. Full scale is 1, in and out. The
/// first and the last quarter of a second fade. Less than a frame of 4,096 samples becomes silence. Besides input and
/// output it uses less than 1 MiB. Throws Failure if kissfft does not start. Safe for concurrent calls.
///
/// Source: D. FitzGerald, "Harmonic/percussive separation using median filtering", DAFx 2010. A tone is a ridge along
/// time in the spectrogram, so the median over time keeps it, and the median over frequency removes it.
std::vector<float> sustained_tones(std::span<const float> mono);

}  // namespace tonearm::audio
