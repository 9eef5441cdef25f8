#pragma once
// Describes tracks by weighted features: tags, category, energy, tone, loop, bands of tempo and length, words.
// Integers only.

#include <cstdint>
#include <string_view>
#include <vector>

#include "similar/feature_words.h"
#include "tonearm/track.h"

namespace tonearm::builder {

/// Whether a shared feature makes tracks similar (BUILD-4). Length, looping, broad categories of effects and words that
/// occur in any text do not.
enum class Signal : std::uint8_t { none, distinctive };

/// A feature, identified by the hash of its name ("genre:trip-hop"), with the weight of its kind.
struct NamedFeature {
  std::uint64_t name = 0;
  std::uint32_t weight = 0;
  Signal signal = Signal::distinctive;
};

/// Hashes the name of a feature: FNV-1a over its kind and value.
std::uint64_t hash_of(std::string_view kind, std::string_view what);

/// At least the weight of any feature.
inline constexpr std::uint32_t kFeatureWeightMax = 7;

/// Describes tracks. An instance belongs to one thread at a time.
class FeatureReader {
 public:
  /// `words` must outlive the reader.
  explicit FeatureReader(const WordTable& words) : table_(words) {}

  /// Returns the features of a track without duplicates, in the order of their hashes.
  std::vector<NamedFeature> features_of(const Track& track);

 private:
  void add_words(Kind kind, std::string_view text, std::size_t count_max, std::uint32_t weight);
  void add_texts(const Track& track);

  const WordTable& table_;
  WordReader reader_;
  std::vector<NamedFeature> found_;
};

/// Returns 16 times the binary logarithm of an effect's length in milliseconds, rounded down; 0 for music and for
/// unknown lengths.
std::uint16_t length_of(const Track& track);

/// Returns 16 times the binary logarithm, rounded down. REQUIRES: value > 0.
std::uint32_t log2_sixteenths(std::uint64_t value);

/// Returns the square root, rounded down.
std::uint64_t integer_sqrt(std::uint64_t value);

/// Hashes a number with the finalizer of SplitMix64.
std::uint64_t mix64(std::uint64_t value);

}  // namespace tonearm::builder
