#pragma once
// Detects whether a recording loops without an audible seam.

#include <cstdint>
#include <span>

namespace tonearm::audio {

/// The transition from the end to the start.
struct Seam {
  bool is_sounding = false;  // both ends are audible, neither is faded
  bool is_even = false;      // the step in loudness is not larger than the steps inside
  bool is_smooth = false;    // the samples continue as predicted
  bool starts_with_sound = false;
};

/// REQUIRES: at least one sample.
Seam seam_of(std::span<const float> mono, std::uint32_t sample_rate);

}  // namespace tonearm::audio
