#pragma once
// Keeps the tracks of a build in a temporary file, so that memory does not limit their number: 8 bytes of memory for
// each track, and 8 more when neighbors are stored.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "tonearm/track_reader.h"
#include "tracks/record_file.h"

namespace tonearm::builder {

/// Const calls are safe from any thread while no other call is made. Each call throws Failure with the folder if the
/// disk is full or fails.
class TrackFile final : public TrackReader {
 public:
  /// Creates the file in `folder`, without a name.
  explicit TrackFile(std::string folder) : records_(std::move(folder)) {}

  std::uint32_t size() const override { return static_cast<std::uint32_t>(positions_.size()); }
  Track read(std::uint32_t index) const override;

  void append(const Track& track);
  /// Lets `change` modify a track, except for its neighbors. Writes the track only if that changed it.
  void update(std::uint32_t index, const std::function<void(Track&)>& change);
  /// Replaces the neighbors of a track.
  void set_neighbors(std::uint32_t index, std::span<const std::uint32_t> neighbors);
  /// Removes the marked tracks; the others move up. REQUIRES: as many marks as tracks, and no track has neighbors.
  void remove(const std::vector<bool>& is_removed);

 private:
  RecordFile records_;
  std::vector<std::uint64_t> positions_;           // of the newest record of each track
  std::vector<std::uint64_t> neighbor_positions_;  // likewise; empty: no track has neighbors
};

}  // namespace tonearm::builder
