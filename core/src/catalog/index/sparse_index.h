#pragma once
// Every n-th of many sorted numbers, kept resident: it tells which few of the others a search must read. Constant, safe
// for concurrent use.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "catalog/storage/extent.h"

namespace tonearm::catalog {

/// The part of a hash that a sparse index stores.
constexpr std::uint32_t upper_half(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32U); }

/// The indexes [begin, end) of an array.
struct IndexRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

class SparseIndex {
 public:
  /// Returns the number of entries for `count` numbers if every `step`-th is stored, starting with the first. It is
  /// even, so that values of 8 bytes may follow.
  static std::size_t count_of(std::size_t count, std::size_t step) { return ((count + step - 1) / step + 1) / 2 * 2; }
  /// `at(i)` returns the i-th of `count` sorted numbers.
  template <class At>
  static std::vector<std::uint32_t> sample(std::size_t count, std::size_t step, const At& at) {
    std::vector<std::uint32_t> samples;
    for (std::size_t i = 0; i < count; i += step) samples.push_back(at(i));
    samples.resize(count_of(count, step), ~std::uint32_t{0});
    return samples;
  }

  /// REQUIRES: `entries` has the size that `count_of` returns. A resident file must outlive the object.
  SparseIndex(const Array<std::uint32_t>& entries, std::size_t count, std::size_t step)
      : entries_(entries), count_(count), step_(step) {
    if (entries.is_in_memory()) return;
    resident_.assign(entries.begin(), entries.end());
    entries_ = resident_;
  }
  // A copy would refer to the entries of the original.
  SparseIndex(const SparseIndex&) = delete;
  SparseIndex& operator=(const SparseIndex&) = delete;

  /// For verification: compares the entries.
  bool equals(const std::vector<std::uint32_t>& entries) const {
    return std::equal(entries.begin(), entries.end(), entries_.begin(), entries_.end());
  }
  /// Returns a range that contains all numbers equal to `value`. Numbers before it are less, numbers after it greater.
  IndexRange candidate_range(std::uint32_t value) const {
    const std::size_t used = (count_ + step_ - 1) / step_;
    const auto end = entries_.begin() + static_cast<std::ptrdiff_t>(used);
    const auto first = std::lower_bound(entries_.begin(), end, value) - entries_.begin();
    const auto after = std::upper_bound(entries_.begin(), end, value) - entries_.begin();
    const std::size_t begin = first == 0 ? 0 : (static_cast<std::size_t>(first) - 1) * step_;
    return {begin, std::max(begin, std::min(static_cast<std::size_t>(after) * step_, count_))};
  }

 private:
  Array<std::uint32_t> entries_;
  std::size_t count_;
  std::size_t step_;
  std::vector<std::uint32_t> resident_;  // if the file is remote
};

/// Returns the first index of the range whose number is not less than `value`, or the end of the range. `at(i)` returns
/// the i-th number; numbers are sorted.
template <class Value, class At>
std::size_t lower_bound_index(Value value, IndexRange range, const At& at) {
  while (range.begin < range.end) {
    const std::size_t middle = range.begin + (range.end - range.begin) / 2;
    if (at(middle) < value) {
      range.begin = middle + 1;
    } else {
      range.end = middle;
    }
  }
  return range.begin;
}

}  // namespace tonearm::catalog
