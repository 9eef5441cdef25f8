#pragma once
// Whether a recording can be repeated without anybody hearing where it begins.

#include <cstdint>
#include <span>

namespace tonearm::audio {

/// What is heard where the end meets the start.
struct Seam {
  bool is_sounding = false;  // both ends sound, neither is a fade
  bool is_even = false;      // the step in loudness is no greater than those inside
  bool is_smooth = false;    // the samples go on as those around them do
  bool begins_with_sound = false;
};

/// REQUIRES: at least one sample.
Seam seam_of(std::span<const float> mono, std::uint32_t sample_rate);

}  // namespace tonearm::audio
