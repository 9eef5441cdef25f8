#pragma once
// Measures whether effects are near effects that people find alike: pairs that a crowd judged, and sounds with the same
// label, which the catalog does not contain.

#include <iosfwd>
#include <string>

namespace tonearm::bench {

/// `folder`: the tables that measure_effects.mjs writes. `shown`: a file of ids whose first neighbors are printed, or
/// empty.
void judge_effects(const std::string& folder, const std::string& shown, std::ostream& out);

}  // namespace tonearm::bench
