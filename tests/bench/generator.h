#pragma once
// Generates catalogs of any size. A track depends only on the seed and its number, so that none is stored.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tonearm/track.h"
#include "vocabulary.h"

namespace tonearm::bench {

/// The same size and seed give the same tracks on every machine. Const calls are safe from any thread.
class Generator {
 public:
  /// REQUIRES: tracks > 0.
  Generator(std::uint32_t tracks, std::uint64_t seed);

  std::uint32_t size() const { return size_; }
  /// REQUIRES: number < size(). Neighbors are numbers of other tracks.
  Track track(std::uint32_t number) const;

 private:
  /// Tracks of one partition may be neighbors.
  enum class Partition : std::uint8_t { music, effect, speech, taken_down };

  test::SeededRandom random_of(std::uint32_t number, std::uint64_t purpose) const;
  Partition partition_of(std::uint32_t number) const;
  void name(Track& track, test::SeededRandom& random) const;
  void describe(Track& track, test::SeededRandom& random) const;
  void tag(Track& track, Facet facet, std::uint64_t count, test::SeededRandom& random) const;
  void add_neighbors(Track& track, std::uint32_t number, Partition partition) const;
  std::string artist(test::SeededRandom& random) const;

  std::uint32_t size_;
  std::uint64_t seed_;
  Zipf words_;
  Zipf artists_;
  std::array<Zipf, kFacetCount> tags_;
};

}  // namespace tonearm::bench
