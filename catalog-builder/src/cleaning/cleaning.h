#pragma once
// Applies the cleaning rules to the tracks of a build, and counts their changes.

#include <vector>

#include "cleaning/rules.h"
#include "report/report.h"
#include "tracks/track_file.h"

namespace tonearm::builder {

/// Cleans the tracks that `is_of_source` marks, with the rules that are on. Traits and categories see the tags of the
/// sources. Licenses, artists and URLs are neither read nor changed. The report gets each rule's counts, and the number
/// of tags before and after. REQUIRES: as many marks as tracks. Throws Failure for invalid rules, or if the file fails.
void clean(TrackFile& tracks, const std::vector<bool>& is_of_source, const RuleSet& rules, Report& report);

}  // namespace tonearm::builder
