#pragma once
// Finds tracks by sound: by a fingerprint of a piece of audio, and by the SHA-256 of a whole file (CREDIT-26,
// CREDIT-27). Constant, safe for concurrent use. Throws CatalogDamaged if the file is damaged.
//
// A fingerprint is looked up in three steps. Some of its values, the probes, are looked up in the index. Each entry
// similar to a probe votes for an offset at which the piece would begin. The offsets with the most votes are then
// compared, value by value, with the fingerprint of the track at that offset. The work is bounded for any fingerprint:
// kEntriesMax entries and kOffsetsMax comparisons.

#include <cstdint>
#include <span>
#include <vector>

#include "catalog/lookup/track_lookup.h"

namespace tonearm::catalog {

/// Stored values of music differ from their predecessors in at least so many bits on average. Silence and steady tones,
/// which agree with each other, differ in fewer.
inline constexpr std::uint32_t kChangesPerWord = 2;

/// The similarity of a piece and a track where they overlap.
struct Overlap {
  std::uint32_t values = 0;   // values that were compared: every second one
  std::uint32_t errors = 0;   // differing bits
  std::uint32_t changes = 0;  // bits by which the track's values differ from their predecessors

  /// Greater is better: the number of bits that agree beyond half of them, which chance gives.
  std::int64_t gain() const { return std::int64_t{values} * 16 - errors; }
};

/// Whether the overlap proves that both are one recording. `shorter`: the number of stored values of the shorter one.
bool is_same_recording(const Overlap& overlap, std::size_t shorter);

/// Returns the numbers of the tracks that contain indexed values, in their order, and fetches the stored fingerprints
/// of those tracks.
std::vector<std::uint32_t> fetch_tracks_with(std::span<const std::uint32_t> indexed_values, const Fingerprints& index,
                                             const Fetcher& fetcher);

class SoundLookup {
 public:
  /// All must outlive the object.
  SoundLookup(const Index& index, const Fetcher& fetcher, const TrackLookup& lookup)
      : index_(index), fetcher_(fetcher), lookup_(lookup) {}

  /// As Catalog::look_up_fingerprints.
  std::vector<std::vector<FoundTrack>> look_up_fingerprints(
      std::span<const std::vector<std::uint32_t>> fingerprints) const;
  /// As Catalog::look_up_files.
  std::vector<std::vector<FoundTrack>> look_up_files(std::span<const Sha256> hashes) const;

 private:
  /// Returns the positions of the tracks that are the same recording.
  std::vector<std::uint32_t> positions_of(const std::vector<std::uint32_t>& fingerprint) const;
  std::vector<std::vector<FoundTrack>> render(const std::vector<std::vector<std::uint32_t>>& positions) const;

  const Index& index_;
  const Fetcher& fetcher_;
  const TrackLookup& lookup_;
};

}  // namespace tonearm::catalog
