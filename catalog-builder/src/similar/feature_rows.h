#pragma once
// The features of many tracks, in four bytes for each feature of a track.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "similar/numbered_hashes.h"
#include "similar/pool_digest.h"
#include "similar/track_features.h"

namespace tonearm::builder {

/// The features of many tracks, numbered. Features of a single track are omitted: they make no two tracks similar.
/// Rows are appended in any order; finish() puts them into theirs. Const calls are safe from any thread.
class FeatureRows {
 public:
  struct Entry {
    std::uint32_t feature = 0;
    std::uint32_t weight = 0;  // of the kind, and greater if fewer tracks have the feature
  };
  /// The length of each row as a vector of weights, except for rounding.
  static constexpr std::uint64_t kRowLength = 1024;

  /// Appends a row. REQUIRES: the features are those of FeatureReader; finish() was not called.
  void append(std::span<const NamedFeature> features);
  /// Makes the row that was appended as number `order[i]` row `i`, drops the features of a single row, and numbers the
  /// others by their first sight. The other functions require it. REQUIRES: `order` has each number once.
  void finish(std::vector<std::uint32_t> order, std::uint32_t threads);

  std::size_t size() const { return order_.size(); }
  /// Returns the features of a row, by number.
  std::vector<Entry> row(std::size_t index) const;
  /// Whether two rows share a distinctive feature.
  bool share_distinctive_feature(std::size_t a, std::size_t b) const;
  /// Adds the rows: others give another hash.
  void add_to(OrderedHash& hash) const;
  /// Hashes of the features' names, by number.
  std::span<const std::uint64_t> names() const { return names_; }
  /// How many tracks have each feature.
  std::span<const std::uint32_t> counts() const { return counts_; }

 private:
  /// The number of a feature, and the weight of its kind in the low bits.
  class Packed {
   public:
    Packed() = default;
    Packed(std::uint32_t feature, std::uint32_t weight) : value_(feature << kWeightBits | weight) {}

    std::uint32_t feature() const { return value_ >> kWeightBits; }
    std::uint32_t weight() const { return value_ & kWeightMax; }
    std::uint32_t packed() const { return value_; }
    bool operator<(const Packed& other) const { return value_ < other.value_; }

   private:
    std::uint32_t value_ = 0;
  };
  static constexpr std::uint32_t kWeightBits = 3;
  static constexpr std::uint32_t kWeightMax = (1U << kWeightBits) - 1;
  static constexpr std::uint32_t kFeaturesMax = 1U << (32 - kWeightBits);
  static_assert(kFeatureWeightMax <= kWeightMax);

  /// Rows in the order in which they were appended. Many blocks, so that no vector is ever copied as a whole.
  struct Block {
    std::vector<Packed> entries;      // of each row by number of the feature
    std::vector<std::uint32_t> ends;  // of each row

    std::span<const Packed> row(std::size_t index) const {
      const std::uint32_t begin = index == 0 ? 0 : ends[index - 1];
      return std::span(entries).subspan(begin, ends[index] - begin);
    }
  };
  static constexpr std::size_t kBlockRows = 1'024;
  static constexpr std::uint32_t kDropped = kFeaturesMax;

  /// A Bloom filter of the distinctive features: rows without a common bit share none.
  using Signature = std::array<std::uint64_t, 4>;

  std::span<const Packed> packed_row(std::size_t index) const {
    return blocks_[order_[index] / kBlockRows].row(order_[index] % kBlockRows);
  }
  std::vector<std::uint32_t> assign_numbers();
  void renumber(Block& block, std::span<const std::uint32_t> numbers) const;
  Signature signature_of(std::span<const Packed> row) const;

  // While rows are appended, all by provisional number.
  NumberedHashes seen_;
  std::vector<std::uint32_t> seen_counts_;
  std::vector<Signal> seen_signals_;

  std::vector<Block> blocks_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint64_t> names_;
  std::vector<std::uint32_t> counts_;
  std::vector<Signal> signals_;              // by number
  std::vector<std::uint16_t> rare_factors_;  // by number: multiplies the weight of the kind
  std::vector<Signature> signatures_;
};

}  // namespace tonearm::builder
