#pragma once
// The tracks that were taken down after the snapshot was written (TAKEDOWN-2). Constant, safe for concurrent use.

#include <cstdint>
#include <vector>

#include "catalog/index/bitmap.h"
#include "catalog/index/layout.h"

namespace tonearm::catalog {

/// A search clears few positions in its bitmap of matches, and intersects it with a bitmap of the offered tracks if
/// there are many.
class TakenDown {
 public:
  TakenDown() = default;
  /// Ignores tracks that the snapshot has as taken down.
  TakenDown(std::vector<std::uint32_t> positions, const Layout& layout);

  bool empty() const { return positions_.empty(); }
  /// Ascending.
  const std::vector<std::uint32_t>& positions() const { return positions_; }
  bool contains(std::uint32_t position) const {
    return position / kWordBits < offered_bits_.size() && !has_bit(offered_bits_.data(), position);
  }
  /// Removes the tracks from a list of positions in any order.
  void remove_from(std::vector<std::uint32_t>& positions) const;

  /// Returns the bitmap of the tracks that are offered, of as many words as the catalog has; null for few take-downs.
  const std::uint64_t* offered_bits() const { return are_many_ ? offered_bits_.data() : nullptr; }
  /// Whether any of few take-downs is in a bitmap and its range.
  bool are_any_in(const std::uint64_t* bits, const PositionRange& range) const;
  /// Clears few take-downs in the bitmap words of a range.
  void clear_few(std::uint64_t* bits, const PositionRange& range) const;

 private:
  std::vector<std::uint32_t> positions_;
  bool are_many_ = false;
  std::vector<std::uint64_t> offered_bits_;  // empty if there are no take-downs
};

}  // namespace tonearm::catalog
