#pragma once
// Describes tracks by weighted features: tags, category, energy, tone, loop, bands of tempo and length, words.
// Integers only.

#include <array>
#include <cstdint>
#include <span>
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

/// The features of many tracks, numbered. Features of a single track are omitted: they make no two tracks similar.
class FeatureRows {
 public:
  struct Entry {
    std::uint32_t feature = 0;
    std::uint32_t weight = 0;  // of the kind, and greater if fewer tracks have the feature
  };
  /// The length of each row as a vector of weights, except for rounding.
  static constexpr std::uint64_t kRowLength = 1024;

  /// `members` are indices into `tracks`.
  FeatureRows(const std::vector<Track>& tracks, std::span<const std::uint32_t> members, const WordTable& words,
              std::uint32_t threads);

  std::size_t size() const { return begins_.size() - 1; }
  std::span<const Entry> row(std::size_t index) const {
    return std::span(entries_).subspan(begins_[index], begins_[index + 1] - begins_[index]);
  }
  /// Whether two rows share a distinctive feature.
  bool share_distinctive_feature(std::size_t a, std::size_t b) const;
  /// Hashes of the features' names, by number.
  std::span<const std::uint64_t> names() const { return names_; }
  /// How many tracks have each feature.
  std::span<const std::uint32_t> counts() const { return counts_; }

 private:
  void assign_numbers(const std::vector<std::vector<NamedFeature>>& named);
  void build_signatures();
  void normalize_weights(std::span<Entry> row) const;

  std::vector<std::uint64_t> names_;
  std::vector<std::uint32_t> counts_;
  /// A Bloom filter of the distinctive features: rows without a common bit share none.
  using Signature = std::array<std::uint64_t, 4>;

  std::vector<Signal> signals_;  // by number
  std::vector<Signature> signatures_;
  std::vector<std::size_t> begins_;
  std::vector<Entry> entries_;  // of each row by number of the feature
};

/// Returns 16 times the binary logarithm of an effect's length in milliseconds, rounded down; 0 for music and for
/// unknown lengths.
std::uint16_t length_of(const Track& track);

/// Returns 16 times the binary logarithm, rounded down. REQUIRES: value > 0.
std::uint32_t log2_sixteenths(std::uint64_t value);

/// Returns the square root, rounded down.
std::uint64_t integer_sqrt(std::uint64_t value);

/// Hashes a number with the finalizer of SplitMix64.
std::uint64_t mix64(std::uint64_t assign_numbers);

}  // namespace tonearm::builder
