#pragma once
// The measurements of earlier builds by the SHA-256 of the measured file, so that unchanged files are not measured
// again, even if they were moved or renamed. The file contains a magic, the versions of all measurements, a checksum
// and a portable binary archive of cereal, which any machine can read.

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "measuring/measurements.h"

namespace tonearm::audio {

/// Safe for concurrent calls.
class MeasurementCache {
 public:
  /// Creates a cache in memory.
  MeasurementCache() = default;
  /// Reads the cache at `path`. If the file is missing, damaged or of another version, the cache is empty and `message`
  /// contains the reason. Never throws for the content of the file.
  explicit MeasurementCache(std::string path);

  /// Returns why an existing file was not used, with its path; empty if it was used or does not exist.
  const std::string& message() const { return message_; }
  std::size_t size() const;
  /// Returns whether the measurements were stored by this build.
  bool is_new(const TrackAudio::Sha256& file) const;

  std::optional<Measurements> find(const TrackAudio::Sha256& file) const;
  void store(const TrackAudio::Sha256& file, Measurements measurements);
  /// Replaces the file in one step. Does nothing without a path or new measurements. Throws Failure if the file is not
  /// writable.
  void save();

 private:
  void load();

  std::string path_;
  std::string message_;
  mutable std::mutex mutex_;  // guards the members below
  std::map<TrackAudio::Sha256, Measurements> entries_;
  std::set<TrackAudio::Sha256> new_;
  std::size_t unsaved_ = 0;
};

}  // namespace tonearm::audio
