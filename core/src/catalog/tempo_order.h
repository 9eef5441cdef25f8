#pragma once
// Which tracks have a tempo inside a range: they stand together in the order of tempo. Constant, safe for concurrent
// use. Reading throws sql::Failure where the file is damaged.

#include <string>
#include <vector>

#include "catalog/layout.h"
#include "catalog/samples.h"
#include "tonearm/search.h"

namespace tonearm::catalog {

class TempoOrder {
 public:
  /// The sections outlive the object.
  TempoOrder(const Sections& sections, const Layout& layout);

  /// Of all music, or of all effects with speech: the places in the order `slow`, and among them those of the range.
  struct Slice {
    Between all;
    Between inside;

    std::size_t inside_count() const { return inside.end - inside.begin; }
    bool is_mostly_inside() const { return inside_count() > (all.end - all.begin) / 2; }
  };
  Slice slice(Kind kind, const Range& bpm_hundredths) const;
  /// Calls `visit(position)` for the tracks at these places. Damaged where one is no track's.
  template <class Visit>
  void each(const Between& places, const Visit& visit) const {
    order_.part(places.begin, places.end - places.begin).each_piece([&](std::span<const std::uint32_t> piece) {
      for (const std::uint32_t position : piece) {
        if (position >= size_) damaged("an order names a track that there is not");
        visit(position);
      }
    });
  }

  /// What `slice` reads, and the fewer tracks, in or out, will be read soon.
  void expect(Kind kind, const Range& bpm_hundredths) const;

 private:
  struct Keys {
    std::uint32_t least = 0;
    std::uint32_t highest = 0;
  };
  Keys keys_of(Kind kind, const Range& bpm_hundredths) const;

  Between all_of(Kind kind) const;

  std::uint32_t size_;
  std::uint32_t music_end_;
  std::uint32_t speech_end_;
  Extent section_;
  Array<std::uint32_t> order_;
  Samples samples_;
  Array<std::uint32_t> keys_;  // by place in the order
};

/// The section `tempos`.
std::string encode_tempos(const Columns& columns, const Layout& layout);

}  // namespace tonearm::catalog
