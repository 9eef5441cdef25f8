#pragma once
// Finds the tracks that are heard in a mix, such as the sound of a film, by fingerprints of its pieces (CREDIT-30).
// Constant, safe for concurrent use. Throws CatalogDamaged if the file is damaged.
//
// Speech over music changes a quarter of the bits of a fingerprint and more, so values are looked up with one or two
// wrong bits among those that the index compares. Similar values vote for the offset between piece and track, and the
// offsets with the most votes are compared value by value. Each value adds what it agrees beyond a tolerated share of
// wrong bits; the track is heard in the parts in which the sum, the gain, grows enough. The work is bounded for any
// fingerprint.

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
  std::int64_t gain = 0;      // in hundredths of a bit
  bool begins_track = false;  // the part begins with the track's first value
  bool ends_track = false;
};

/// The gain that proves a part. By chance the best gain of all tracks grows with the logarithm of their number:
/// `compared_bits` as of Fingerprints.
std::int64_t required_gain(unsigned compared_bits);

/// Returns the parts of a piece that agree with a track if the piece begins `begin` values after the start of the track
/// (before it if negative), in order. `stored`: every second value of the track.
std::vector<HeardPart> heard_in(std::span<const std::uint32_t> piece, std::span<const std::uint32_t> stored,
                                std::int64_t begin);

/// Whether the part agrees better if the track runs at another speed: then it is another recording of the same music.
bool is_of_other_speed(std::span<const std::uint32_t> piece, std::span<const std::uint32_t> stored, std::int64_t begin,
                       const HeardPart& part);

struct ChosenPart {
  HeardPart part;
  bool is_ambiguous = false;
};
/// Chooses the parts that have the required gain, in the order of their beginnings. Of those at the same time it
/// chooses the best one, or those that are equally good.
std::vector<ChosenPart> choose_parts(std::vector<HeardPart> parts, std::int64_t gain_min);

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
