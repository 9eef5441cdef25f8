#pragma once
// The texts with which a host stores the tracks of a collection (HOST-63). Not thread-safe.

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "tonearm/catalog.h"

namespace tonearm::api {

/// Writes tracks into as few texts as possible. A text has at most 1 MB, because the platform of the edge allows 2 MB a
/// row; a larger track is omitted.
std::vector<std::string> write_tracks(std::span<const FoundTrack> tracks);

/// The tracks of texts that `write_tracks` has written.
class StoredTracks {
 public:
  /// Ignores everything from the first line on whose layout is not that of `write_tracks`.
  explicit StoredTracks(std::vector<std::string> texts);
  StoredTracks(const StoredTracks&) = delete;
  StoredTracks& operator=(const StoredTracks&) = delete;
  ~StoredTracks() = default;

  /// Views into this object.
  const std::vector<FoundTrack>& tracks() const { return tracks_; }

 private:
  std::vector<std::string> texts_;
  std::deque<std::vector<std::uint32_t>> offsets_;  // of each track
  std::vector<FoundTrack> tracks_;
};

}  // namespace tonearm::api
