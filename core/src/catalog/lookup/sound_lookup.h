#pragma once
// Tracks by what is heard: from a fingerprint of a piece of the audio, and from the SHA-256 of a whole file (CREDIT-26,
// CREDIT-27). Constant, safe for concurrent use. Throws Failure if the file is damaged.
//
// A fingerprint is looked up in three steps. Some of its values, the probes, are looked up in the index; each entry
// that is like a probe votes for an offset, which is the place where the piece would begin. The offsets with most votes
// are then compared, value by value, with the fingerprint of the track that lies there. So the work has a bound,
// whatever the fingerprint: kEntriesMax entries, and kOffsetsMax comparisons.

#include <cstdint>
#include <span>
#include <vector>

#include "catalog/lookup/track_lookup.h"

namespace tonearm::catalog {

/// How alike a piece and a track are where they overlap.
struct Overlap {
  std::uint32_t words = 0;    // values that were compared: each second one
  std::uint32_t errors = 0;   // bits that differ
  std::uint32_t changes = 0;  // bits by which the track's values differ from the ones before them

  /// More is better: how many bits less differ than half of them, which is what chance gives.
  std::int64_t gain() const { return std::int64_t{words} * 16 - errors; }
};

/// Whether the overlap shows that they are one recording. `shorter`: how many words the shorter of both has.
bool is_same_recording(const Overlap& overlap, std::size_t shorter);

class SoundLookup {
 public:
  /// All outlive the object.
  SoundLookup(const Index& index, const Fetcher& fetcher, const TrackLookup& lookup)
      : index_(index), fetcher_(fetcher), lookup_(lookup) {}

  /// As Catalog::look_up_fingerprints.
  std::vector<std::vector<FoundTrack>> look_up_fingerprints(
      std::span<const std::vector<std::uint32_t>> fingerprints) const;
  /// As Catalog::look_up_files.
  std::vector<std::vector<FoundTrack>> look_up_files(std::span<const Sha256> hashes) const;

 private:
  std::vector<std::vector<FoundTrack>> render(const std::vector<std::vector<std::uint32_t>>& positions) const;

  const Index& index_;
  const Fetcher& fetcher_;
  const TrackLookup& lookup_;
};

}  // namespace tonearm::catalog
