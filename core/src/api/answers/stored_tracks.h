#pragma once
// The texts with which a host stores the tracks of a collection (HOST-63). Not thread-safe.

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "tonearm/catalog.h"

namespace tonearm::api {

/// Writes tracks into as few texts as possible. None is larger than the rows of all databases may be.
std::vector<std::string> write_tracks(std::span<const FoundTrack> tracks);

/// The tracks of texts that `write_tracks` has written.
class StoredTracks {
 public:
  /// Ignores everything from the first line on that is damaged, or of a release whose tracks have other fields.
  explicit StoredTracks(std::vector<std::string> texts);

  /// Views into this object.
  const std::vector<FoundTrack>& tracks() const { return tracks_; }

 private:
  std::vector<std::string> texts_;
  std::deque<std::vector<std::uint32_t>> offsets_;  // of each track
  std::vector<FoundTrack> tracks_;
};

}  // namespace tonearm::api
