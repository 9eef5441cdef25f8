#pragma once
// Rendered tracks without their audio addresses, for tracks that were taken down after the snapshot was written
// (TRACK-6).

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "tonearm/catalog.h"

namespace tonearm::catalog {

/// Safe for concurrent use.
class MutedTracks {
 public:
  /// Returns the track at `position` with `preview_url` and `original_url` null: a view into this object.
  RenderedTrack of(std::uint32_t position, const RenderedTrack& track);

 private:
  struct Copy {
    std::string json;
    std::vector<std::uint32_t> offsets;

    void set_null(std::size_t path);
  };

  std::mutex mutex_;
  std::map<std::uint32_t, Copy> copies_;  // at most one for each track that was taken down
};

}  // namespace tonearm::catalog
