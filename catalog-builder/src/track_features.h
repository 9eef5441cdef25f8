#pragma once
// What makes two tracks alike, as weighted features: sets that can be intersected. Integers only.

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tonearm/track.h"

namespace tonearm::builder {

/// The features of some tracks, and the tracks of each feature. Numbers of tracks are places in `members`.
class Features {
 public:
  Features(const std::vector<Track>& tracks, std::span<const std::uint32_t> members);

  struct Feature {
    std::uint32_t weight = 0;           // more where fewer tracks have it
    std::vector<std::uint32_t> tracks;  // ascending; empty where only one track has it
  };

  const Feature& feature(std::uint32_t id) const { return features_[id]; }
  std::size_t count() const { return features_.size(); }
  /// Rarest first.
  std::span<const std::uint32_t> of_track(std::uint32_t track) const { return by_track_[track]; }
  /// Sum of the weights of all its features.
  std::uint32_t total(std::uint32_t track) const { return totals_[track]; }

 private:
  void index(std::vector<std::vector<std::uint32_t>>&& raw, const std::vector<std::uint32_t>& base_weights);

  std::vector<Feature> features_;
  std::vector<std::vector<std::uint32_t>> by_track_;
  std::vector<std::uint32_t> totals_;
};

/// The features of one track by name ("genre:trip-hop", "bpm:14") with their base weights.
std::vector<std::pair<std::string, std::uint32_t>> features_of(const Track& track);

/// 16 times the binary logarithm, rounded down. REQUIRES: value > 0.
std::uint32_t log2_sixteenths(std::uint64_t value);

}  // namespace tonearm::builder
