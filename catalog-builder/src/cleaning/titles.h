#pragma once
// Turns titles that are file names into words, for searches and variants alone (BUILD-17). Titles that a person may
// have written are not changed. Pure.

#include <string>
#include <string_view>
#include <vector>

#include "tonearm/track.h"

namespace tonearm::builder {

struct CleanedTitle {
  std::string text;
  bool had_extension = false;  // "Rain.wav"
  bool was_file_name = false;  // "heavy_rain", "heavy-rain-loop"; effects also "HeavyRain"
};

/// Removes the extension of an audio file and replaces separators of file names by spaces. Returns the title unchanged
/// if no letter or digit would remain. REQUIRES: is_utf8(title).
CleanedTitle clean_title(Kind kind, std::string_view title);

/// Returns the effects whose running number is redundant: "rain 01" if its artist has no other track named "rain" or
/// "rain" and a number. Considers only numbers with a leading zero, because others may be part of a name. `candidates`:
/// indices into `tracks`.
std::vector<std::size_t> redundant_numbers(const std::vector<Track>& tracks,
                                           const std::vector<std::size_t>& candidates);

/// Returns "rain" for "rain 01". REQUIRES: `redundant_numbers` returned the track.
std::string without_number(std::string_view title);

}  // namespace tonearm::builder
