#pragma once
// Derives energy, tone and looping from tags and titles (BUILD-17). The rules are data: data/traits.toml. Values of
// sources and measurements are not changed. Thread-safe after construction.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "report/report.h"
#include "tonearm/track.h"

namespace tonearm::builder {

class TraitRules {
 public:
  /// Throws Failure for invalid rules. `file`: for messages.
  TraitRules(std::string_view toml, const std::string& file);

  /// Sets missing traits of the track, and counts them.
  void apply(Track& track, Counts& counts) const;

 private:
  std::map<std::string, std::vector<std::string>> traits_of_;  // by "facet:tag-id" and "title:word"
};

/// The rules that are compiled in.
TraitRules built_in_traits();

}  // namespace tonearm::builder
