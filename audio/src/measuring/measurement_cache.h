#pragma once
// The measurements of earlier builds, by the SHA-256 of the file that was measured: an unchanged file is not measured
// twice, wherever it lies and whatever its name. On disk: a magic, the versions of everything that measures, a
// checksum, and a cereal portable binary archive, so that any machine reads what another wrote.

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
  /// One that lives in memory alone.
  MeasurementCache() = default;
  /// Reads what stands at `path`. Nothing there, or anything but a whole cache of these versions: it is empty, and
  /// `message` says why. Never throws for what the file holds.
  explicit MeasurementCache(std::string path);

  /// Why an existing file was not used, naming it; empty: it was, or there was none.
  const std::string& message() const { return message_; }
  std::size_t size() const;
  /// Whether its measurements were kept since the cache was made, and come from no earlier build.
  bool is_new(const TrackAudio::Sha256& file) const;

  std::optional<AudioMeasurements> find(const TrackAudio::Sha256& file) const;
  void keep(const TrackAudio::Sha256& file, AudioMeasurements measurements);
  /// Replaces the file in one step; does nothing without a path or without news. Throws Failure if it cannot be
  /// written.
  void save();

 private:
  void load();

  std::string path_;
  std::string message_;
  mutable std::mutex mutex_;  // guards what follows
  std::map<TrackAudio::Sha256, AudioMeasurements> entries_;
  std::set<TrackAudio::Sha256> new_;
  std::size_t unsaved_ = 0;
};

}  // namespace tonearm::audio
