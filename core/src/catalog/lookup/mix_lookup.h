#pragma once
// Finds the tracks that are heard in a mix, such as the sound of a film, by fingerprints of its pieces (CREDIT-30).
// Constant, safe for concurrent use. Throws CatalogDamaged if the file is damaged.
//
// Speech over music changes a quarter of the bits of a fingerprint and more, so values are looked up with one or two
// wrong bits among those that the index compares. Similar values vote for the offset between piece and track, and the
// offsets with the most votes are compared value by value. Each value adds what it agrees beyond kToleratedPercent
// of wrong bits; the part of an offset with the largest sum is where the track is heard. That sum, the gain, decides.
// The work is bounded for any fingerprint.

#include <cstdint>
#include <span>
#include <vector>

#include "catalog/lookup/track_lookup.h"

namespace tonearm::catalog {

/// A part of a piece that resembles a track.
struct HeardPart {
  std::uint32_t position = 0;  // of the track
  std::uint32_t begin = 0;     // indexes of values of the piece
  std::uint32_t end = 0;
  std::int64_t gain = 0;  // in hundredths of a bit
};

/// The gain from which a part is heard for certain, and from which it is heard if no other track comes near it. By
/// chance the best gain of all tracks grows with the logarithm of their number: `compared_bits` as of Fingerprints.
struct GainLimits {
  std::int64_t clear = 0;
  std::int64_t faint = 0;
};
GainLimits gain_limits(unsigned compared_bits);

/// Returns the part of a piece that begins `begin` values after the start of a track (before it if negative) with the
/// largest gain; a gain of 0 if nothing agrees. `stored`: every second value of the track.
HeardPart best_part(std::span<const std::uint32_t> piece, std::span<const std::uint32_t> stored, std::int64_t begin);

/// Whether the part agrees better if the track runs at another speed: then it is another recording of the same music.
bool is_of_other_speed(std::span<const std::uint32_t> piece, std::span<const std::uint32_t> stored, std::int64_t begin,
                       const HeardPart& part);

struct ChosenPart {
  HeardPart part;
  Hearing hearing = Hearing::clear;
};
/// Chooses the parts that prove a track, in the order of their beginnings.
std::vector<ChosenPart> choose_parts(std::vector<HeardPart> parts, const GainLimits& limits);

class MixLookup {
 public:
  /// All must outlive the object.
  MixLookup(const Index& index, const Fetcher& fetcher, const TrackLookup& lookup)
      : index_(index), fetcher_(fetcher), lookup_(lookup) {}

  /// As Catalog::look_up_mixes.
  std::vector<std::vector<HeardTrack>> look_up_mixes(std::span<const std::vector<std::uint32_t>> pieces) const;

 private:
  std::vector<HeardPart> heard_parts(const std::vector<std::uint32_t>& piece) const;

  const Index& index_;
  const Fetcher& fetcher_;
  const TrackLookup& lookup_;
};

}  // namespace tonearm::catalog
