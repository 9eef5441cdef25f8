#pragma once
// Applies the results of a link check in the next build (LINK-4).

#include "links/link_record.h"
#include "report/link_effects.h"
#include "tonearm/track.h"

namespace tonearm::builder {

/// Changes the track by the results for its URLs, and counts the changes.
void apply_findings(const LinkRecords& records, Track& track, LinkEffects& effects);

}  // namespace tonearm::builder
