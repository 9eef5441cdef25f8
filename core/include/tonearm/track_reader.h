#pragma once
// Reads a list of tracks one at a time, so that a list may be larger than memory.

#include <cstdint>
#include <span>

#include "tonearm/track.h"

namespace tonearm {

/// Const calls are safe from any thread.
class TrackReader {
 public:
  virtual ~TrackReader() = default;
  virtual std::uint32_t size() const = 0;
  /// REQUIRES: index < size(). Throws Failure if the track cannot be read.
  virtual Track read(std::uint32_t index) const = 0;
};

/// Reads tracks in memory, which must outlive the reader.
class TracksInMemory final : public TrackReader {
 public:
  explicit TracksInMemory(std::span<const Track> tracks) : tracks_(tracks) {}

  std::uint32_t size() const override { return static_cast<std::uint32_t>(tracks_.size()); }
  Track read(std::uint32_t index) const override { return tracks_[index]; }

 private:
  std::span<const Track> tracks_;
};

}  // namespace tonearm
