#pragma once
// Turns titles that are file names into words, for searches and variants alone (BUILD-17). Titles that a person may
// have written are not changed. Pure.

#include <string>
#include <string_view>
#include <unordered_map>

#include "tonearm/track.h"

namespace tonearm::builder {

struct CleanedTitle {
  std::string text;
  bool had_extension = false;  // "Rain.wav"
  bool was_file_name = false;  // "heavy_rain", "heavy-rain-loop"; effects also "HeavyRain"
  bool was_changed() const { return had_extension || was_file_name; }
};

/// Removes the extension of an audio file and replaces separators of file names by spaces. Returns the title unchanged
/// if no letter or digit would remain. REQUIRES: is_utf8(title).
CleanedTitle clean_title(Kind kind, std::string_view title);

/// Finds the effects whose running number is redundant: "rain 01" if its artist has no other track named "rain" or
/// "rain" and a number. Considers only numbers with a leading zero, because others may be part of a name. Keeps
/// only the names of candidates in memory.
class RunningNumbers {
 public:
  /// Adds a track whose number may be redundant, before tracks are counted.
  void add_candidate(const Track& track);
  bool has_candidates() const { return !tracks_of_name_.empty(); }
  /// Counts a track of the catalog, candidate or not.
  void count(const Track& track);
  /// REQUIRES: all tracks are counted. Of tracks that are no candidates, none is redundant.
  bool is_redundant(const Track& track) const;

 private:
  std::unordered_map<std::string, std::size_t> tracks_of_name_;  // by artist and name
};

/// Returns "rain" for "rain 01". REQUIRES: the number of the track is redundant.
std::string without_number(std::string_view title);

}  // namespace tonearm::builder
