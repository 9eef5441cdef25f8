#pragma once
// The acoustic fingerprints of tracks, and where in them a value like another one is (docs/snapshot-format.md,
// `fingerprints` and `fingerprint_index`). Constant once opened, safe for concurrent use. Throws Failure if the
// file is damaged.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "catalog/index/sparse_index.h"
#include "catalog/storage/sections.h"

namespace tonearm::catalog {

/// Neighboring values of a fingerprint hardly differ: each second one is stored, and each fourth one indexed.
inline constexpr std::uint32_t kStoredStep = 2;
inline constexpr std::uint32_t kIndexedStep = 4;

/// The bits of a value, those that survive noise and encoders best in front: the order of the index.
std::uint32_t steadiest_first(std::uint32_t value);

/// Collects both sections while tracks are added by position.
class FingerprintsBuilder {
 public:
  /// REQUIRES: positions ascend; `values` are what Chromaprint gave, all of them.
  void add(std::uint32_t position, std::span<const std::uint32_t> values);
  /// REQUIRES: positions ascend; `words` are those of a track that was stored.
  void add_stored(std::uint32_t position, std::span<const std::uint32_t> words);
  std::string fingerprints() const;
  std::string index() const;

 private:
  std::vector<std::uint32_t> positions_;
  std::vector<std::uint32_t> starts_;
  std::vector<std::uint32_t> words_;
};

class Fingerprints {
 public:
  /// The sections outlive the object.
  explicit Fingerprints(const Sections& sections);

  struct Entry {
    std::uint32_t order = 0;  // the value, steadiest bits first
    std::uint32_t place = 0;  // of the value: in units of kIndexedStep values over all tracks
  };
  /// The stored values of one track.
  struct Stored {
    std::uint32_t position = 0;
    std::uint32_t first_slot = 0;  // of its first value
    Array<std::uint32_t> words;    // each kStoredStep-th value
  };

  bool empty() const { return entries_.empty(); }
  std::uint32_t track_count() const { return static_cast<std::uint32_t>(positions_.size()); }
  /// Entries whose steadiest bits are those of a value. So many bits count that few entries share them by chance.
  /// Reads entries to find the ends of the range. Where there are more than `count_max` it may be any range of more, as
  /// the sparse index alone says that.
  IndexRange alike(std::uint32_t value, std::size_t count_max) const;
  Array<std::uint64_t> entries(const IndexRange& range) const {
    return entries_.part(range.begin, range.end - range.begin);
  }
  static Entry entry_of(std::uint64_t stored) {
    return {static_cast<std::uint32_t>(stored >> 32U), static_cast<std::uint32_t>(stored)};
  }
  /// The track that has a place. Throws if there is none.
  std::uint32_t track_at(std::uint32_t place) const;
  Stored stored(std::uint32_t number) const;

  /// For a remote file: adds where the entries like a value must be, unless they are known to be more than `count_max`.
  void add_entry_range(std::uint32_t value, std::size_t count_max, std::vector<FileRange>& ranges) const;
  /// Adds where it is said which track has a place.
  void add_start_range(std::uint32_t place, std::vector<FileRange>& ranges) const;

 private:
  IndexRange around(std::uint32_t value) const;
  /// Whether of the range around a value certainly more than `count_max` entries are like it.
  static bool are_more(const IndexRange& around, std::size_t count_max);

  Array<std::uint32_t> head_;
  std::uint64_t entry_count_;
  SparseIndex starts_sparse_;
  SparseIndex entries_sparse_;
  Array<std::uint32_t> positions_;
  Array<std::uint32_t> starts_;  // in words
  Array<std::uint32_t> words_;
  Array<std::uint64_t> entries_;
  unsigned bits_ = 0;  // of a value that count
};

}  // namespace tonearm::catalog
