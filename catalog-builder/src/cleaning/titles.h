#pragma once
// Titles that are names of files become words (BUILD-17). Careful: what may be a name that somebody gave stays. Pure.

#include <string>
#include <string_view>
#include <vector>

#include "tonearm/track.h"

namespace tonearm::builder {

struct CleanedTitle {
  std::string text;
  bool had_ending = false;     // "Rain.wav"
  bool was_file_name = false;  // "heavy_rain", "heavy-rain-loop", of effects also "HeavyRain"
};

/// The title without the ending of a sound file, with spaces where a name of a file has something else. The title
/// itself where no letter or digit would be left. REQUIRES: is_utf8(title).
CleanedTitle clean_title(Kind kind, std::string_view title);

/// Whose running number tells nothing: of an effect "rain 01", if its artist has no other track that is called "rain",
/// or "rain" and a number. Only numbers with a leading zero, because others may be part of a name.
/// `candidates`: indices into `tracks`.
std::vector<std::size_t> lone_numbers(const std::vector<Track>& tracks, const std::vector<std::size_t>& candidates);

/// "rain" of "rain 01". REQUIRES: the title is one that `lone_numbers` named.
std::string without_number(std::string_view title);

}  // namespace tonearm::builder
