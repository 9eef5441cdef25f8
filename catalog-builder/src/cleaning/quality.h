#pragma once
// A quality with fewer ties (BUILD-17): how much is known of a track breaks them. Integers alone. Pure.

#include <cstdint>

#include "tonearm/track.h"

namespace tonearm::builder {

/// In thousandths: 800 / 1000 of the quality that the source gave (500 where it gave none), rounded down, and 100, and
/// up to 99 more for what is known. So a quality that nobody gave stays between 500 and 599, and those that a source
/// gave keep their order where they are an eighth apart.
std::uint16_t refined_quality(const Track& track);

/// What is known, 0 to 99:
///   an address of the audio   20      a page at the source, an artist    6 each
///   a verified license         6      tags                               3 each, at most 18
///   a category, a tempo, an energy, a tone, a genre                      3 each
///   the description            1 for every 16 bytes, at most 28
std::uint16_t knowledge(const Track& track);

}  // namespace tonearm::builder
