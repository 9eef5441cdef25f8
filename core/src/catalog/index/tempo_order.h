#pragma once
// Finds the tracks with a tempo in a range: they are adjacent in the order of tempo. Constant, safe for concurrent use.
// Reading throws CatalogDamaged if the file is damaged.

#include <string>
#include <vector>

#include "catalog/index/layout.h"
#include "catalog/index/sparse_index.h"
#include "tonearm/search.h"

namespace tonearm::catalog {

class TempoOrder {
 public:
  /// The sections must outlive the object.
  TempoOrder(const Sections& sections, const Layout& layout);

  /// The ranks of one kind in the order `slow`: all of them (effects include speech), and those with a tempo in the
  /// range.
  struct Slice {
    IndexRange all;
    IndexRange inside;

    std::size_t inside_count() const { return inside.end - inside.begin; }
    bool is_mostly_inside() const { return inside_count() > (all.end - all.begin) / 2; }
  };
  Slice slice(Kind kind, const Range& bpm_hundredths) const;
  /// Calls `visit(position)` for the tracks of these ranks. Throws CatalogDamaged if a position is invalid.
  template <class Visit>
  void each(const IndexRange& ranks, const Visit& visit) const {
    order_.subarray(ranks.begin, ranks.end - ranks.begin).each_piece([&](std::span<const std::uint32_t> piece) {
      for (const std::uint32_t position : piece) {
        if (position >= size_) throw_damaged("an order refers to a missing track");
        visit(position);
      }
    });
  }

  /// For a remote file: adds what `slice` reads, and the range of the smaller set of tracks, inside or outside.
  void add_ranges(Kind kind, const Range& bpm_hundredths, std::vector<FileRange>& ranges) const;

 private:
  struct Keys {
    std::uint32_t least = 0;
    std::uint32_t highest = 0;
  };
  Keys keys_of(Kind kind, const Range& bpm_hundredths) const;

  IndexRange all_of(Kind kind) const;

  std::uint32_t size_;
  std::uint32_t music_end_;
  std::uint32_t speech_end_;
  Array<std::uint32_t> order_;
  SparseIndex sparse_;
  Array<std::uint32_t> keys_;  // by rank in the order
};

/// Encodes the section `tempos`.
std::string encode_tempos(const Columns& columns, const Layout& layout);

}  // namespace tonearm::catalog
