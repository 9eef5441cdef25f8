#pragma once
// Applies the rules of cleaning to the tracks of a build and counts what they did.

#include <vector>

#include "cleaning/rules.h"
#include "report/report.h"
#include "tonearm/track.h"

namespace tonearm::builder {

/// Cleans those tracks that `is_of_source` marks, by the rules that are on, in the order of `Rule`; but traits and
/// categories see the tags that the sources gave. Neither licenses nor artists nor addresses are read or changed.
/// The report gets each rule's counts, and how many tags there were before and after.
/// REQUIRES: as many marks as tracks. Throws Failure for rules that are not understood.
void clean(std::vector<Track>& tracks, const std::vector<bool>& is_of_source, const RuleSet& rules, Report& report);

}  // namespace tonearm::builder
