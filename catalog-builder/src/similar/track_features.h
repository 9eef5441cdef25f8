#pragma once
// What makes tracks alike, as weighted features: tags, category, energy, tone, loop, bands of tempo and length, words.
// Integers only.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tonearm/track.h"

namespace tonearm::builder {

/// Tracks that share nothing but features that tell nothing are not alike: their length, that they are loops, and words
/// that any text has.
enum class Tells : std::uint8_t { nothing, something };

/// A feature by the hash of its name ("genre:trip-hop"), with the weight of its kind.
struct NamedFeature {
  std::uint64_t name = 0;
  std::uint32_t weight = 0;
  Tells tells = Tells::something;
};

/// The features of one track, each once, in the order of their hashes.
std::vector<NamedFeature> features_of(const Track& track);

/// The features of many tracks, numbered. A feature that only one track has is left out: it makes no two alike.
class FeatureRows {
 public:
  struct Entry {
    std::uint32_t feature = 0;
    std::uint32_t weight = 0;  // of the kind, times more where fewer tracks have the feature
  };
  /// The squares of a row's weights add up to about this number's.
  static constexpr std::uint64_t kRowLength = 1024;

  /// `members` are indices into `tracks`.
  FeatureRows(const std::vector<Track>& tracks, std::span<const std::uint32_t> members, std::uint32_t threads);

  std::size_t size() const { return begins_.size() - 1; }
  std::span<const Entry> row(std::size_t index) const {
    return std::span(entries_).subspan(begins_[index], begins_[index + 1] - begins_[index]);
  }
  /// Whether two rows have a feature in common that tells something.
  bool share(std::size_t a, std::size_t b) const;
  /// Hashes of the features' names, by number.
  std::span<const std::uint64_t> names() const { return names_; }
  /// How many tracks have each feature.
  std::span<const std::uint32_t> counts() const { return counts_; }

 private:
  void number(const std::vector<std::vector<NamedFeature>>& named);
  void sign();
  void weigh(std::span<Entry> row) const;

  std::vector<std::uint64_t> names_;
  std::vector<std::uint32_t> counts_;
  /// A bit for each feature that tells something, several features to a bit: rows without a common bit share nothing.
  using Signature = std::array<std::uint64_t, 4>;

  std::vector<Tells> tells_;  // by number
  std::vector<Signature> signatures_;
  std::vector<std::size_t> begins_;
  std::vector<Entry> entries_;  // of a row in the order of their features' numbers
};

/// 16 times the binary logarithm, rounded down. REQUIRES: value > 0.
std::uint32_t log2_sixteenths(std::uint64_t value);

/// The square root, rounded down.
std::uint64_t square_root(std::uint64_t value);

/// Bits that look random, the same for the same number.
std::uint64_t scattered(std::uint64_t number);

}  // namespace tonearm::builder
