#pragma once
// The acoustic fingerprints of tracks and an index of similar values (docs/snapshot-format.md, `fingerprints` and
// `fingerprint_index`). Constant once opened, safe for concurrent use. Throws CatalogDamaged if the file is damaged.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "catalog/index/sparse_index.h"
#include "catalog/storage/sections.h"

namespace tonearm::catalog {

/// Neighboring values of a fingerprint are nearly equal, so every second value is stored and every fourth one indexed.
inline constexpr std::uint32_t kStoredStep = 2;
inline constexpr std::uint32_t kIndexedStep = 4;

/// Reorders the bits of a value so that those most robust against noise and encoders come first: the sort order of the
/// index.
std::uint32_t stable_bits_first(std::uint32_t value);
/// Returns the bit of a value that is the `number`-th in this order. REQUIRES: number < 32.
std::uint32_t stable_bit(unsigned number);

/// Collects both sections while tracks are added by position.
class FingerprintsBuilder {
 public:
  /// REQUIRES: positions ascend; `values` are all values from Chromaprint.
  void add(std::uint32_t position, std::span<const std::uint32_t> values);
  /// REQUIRES: positions ascend; `stored` are the stored values of a track.
  void add_stored(std::uint32_t position, std::span<const std::uint32_t> stored);
  std::string fingerprints() const;
  std::string index() const;

 private:
  std::vector<std::uint32_t> positions_;
  std::vector<std::uint32_t> starts_;
  std::vector<std::uint32_t> values_;
};

class Fingerprints {
 public:
  /// The sections must outlive the object.
  explicit Fingerprints(const Sections& sections);

  struct Entry {
    std::uint32_t order = 0;          // the value after stable_bits_first
    std::uint32_t indexed_value = 0;  // its index among the indexed values of all tracks
  };
  /// The stored values of one track.
  struct Stored {
    std::uint32_t position = 0;
    std::uint32_t first_indexed = 0;  // the index of its first value among all indexed values
    Array<std::uint32_t> values;      // every kStoredStep-th value
  };

  bool empty() const { return entries_.empty(); }
  std::size_t entry_count() const { return entries_.size(); }
  /// How many of a value's most stable bits the index compares: one more with each doubling of the index.
  unsigned compared_bits() const { return bits_; }
  std::uint32_t track_count() const { return static_cast<std::uint32_t>(positions_.size()); }
  /// Returns the entries whose most stable bits equal those of a value. The number of compared bits grows with the
  /// index, so that few entries match by chance. Reads entries to find the bounds. If the sparse index proves that
  /// there are more than `count_max`, the result may be any range larger than that.
  IndexRange similar_entries(std::uint32_t value, std::size_t count_max) const;
  Array<std::uint64_t> entries(const IndexRange& range) const {
    return entries_.subarray(range.begin, range.end - range.begin);
  }
  static Entry entry_of(std::uint64_t stored) {
    return {static_cast<std::uint32_t>(stored >> 32U), static_cast<std::uint32_t>(stored)};
  }
  /// Returns the number of the track that contains an indexed value. Throws CatalogDamaged if there is none.
  std::uint32_t track_at(std::uint32_t indexed_value) const;
  Stored stored(std::uint32_t number) const;

  /// For a remote file: adds the range of the entries similar to a value, unless there are certainly more than
  /// `count_max`.
  void add_entry_range(std::uint32_t value, std::size_t count_max, std::vector<FileRange>& ranges) const;
  /// For a remote file: adds what `track_at` reads.
  void add_start_range(std::uint32_t indexed_value, std::vector<FileRange>& ranges) const;

 private:
  IndexRange candidate_range(std::uint32_t value) const;
  /// Whether certainly more than `count_max` entries of a candidate range match.
  static bool surely_exceeds(const IndexRange& range, std::size_t count_max);

  Array<std::uint32_t> head_;
  std::uint64_t entry_count_;
  SparseIndex starts_sparse_;
  SparseIndex entries_sparse_;
  Array<std::uint32_t> positions_;
  Array<std::uint32_t> starts_;  // in stored values
  Array<std::uint32_t> values_;
  Array<std::uint64_t> entries_;
  unsigned bits_ = 0;  // how many bits of a value are compared
};

}  // namespace tonearm::catalog
