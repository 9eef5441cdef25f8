#pragma once
// Refines qualities (BUILD-17): the amount of metadata breaks ties. Integers only. Pure.

#include <cstdint>

#include "tonearm/track.h"

namespace tonearm::builder {

/// Returns, in thousandths, 800 / 1000 of the source's quality (500 without one), rounded down, plus 100, plus the
/// metadata points. So tracks without a quality get 500 to 599, and qualities that differ by an eighth keep their
/// order.
std::uint16_t refined_quality(const Track& track);

/// Rates the metadata, 0 to 99:
///   a URL of the audio        20      a page at the source, an artist    6 each
///   a verified license         6      tags                               3 each, at most 18
///   a category, a tempo, an energy, a tone, a genre                      3 each
///   the description            1 for every 16 bytes, at most 28
std::uint16_t metadata_points(const Track& track);

}  // namespace tonearm::builder
