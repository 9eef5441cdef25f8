#pragma once
// What a check of links changes in the next build (LINK-4).

#include "links/link_record.h"
#include "report/link_effects.h"
#include "tonearm/track.h"

namespace tonearm::builder {

/// Changes the track by what was found at its addresses, and counts it.
void apply_findings(const LinkRecords& records, Track& track, LinkEffects& effects);

}  // namespace tonearm::builder
