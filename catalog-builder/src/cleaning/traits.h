#pragma once
// Energy, tone and looping that tags and titles imply (BUILD-17), as data: data/traits.toml. What a source or a
// measurement said of a track is not touched. Thread-safe once made.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "report/report.h"
#include "tonearm/track.h"

namespace tonearm::builder {

class TraitRules {
 public:
  /// Throws Failure for rules that are not understood. `file`: for messages.
  TraitRules(std::string_view toml, const std::string& file);

  /// Gives what the track lacks, and counts it.
  void apply(Track& track, Counts& counts) const;

 private:
  std::map<std::string, std::vector<std::string>> traits_of_;  // by "facet:tag-id" and "title:word"
};

/// The rules that are compiled in.
TraitRules built_in_traits();

}  // namespace tonearm::builder
