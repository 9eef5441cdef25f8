#pragma once
// A set of tracks as a dense bitmap over positions. A plain value.

#include <bit>
#include <cstdint>
#include <vector>

namespace tonearm::catalog {

class DocSet {
 public:
  /// The empty set over the positions 0..size-1.
  explicit DocSet(std::uint32_t size) : size_(size), words_((size + 63ULL) / 64) {}

  std::uint32_t size() const { return size_; }
  void add(std::uint32_t position) { words_[position / 64] |= bit(position); }
  void remove(std::uint32_t position) { words_[position / 64] &= ~bit(position); }
  bool has(std::uint32_t position) const { return (words_[position / 64] & bit(position)) != 0; }

  /// Adds begin..end-1.
  void add_range(std::uint32_t begin, std::uint32_t end) {
    for (; begin < end && begin % 64 != 0; ++begin) add(begin);
    for (; begin + 64ULL <= end; begin += 64) words_[begin / 64] = ~std::uint64_t{0};
    for (; begin < end; ++begin) add(begin);
  }

  /// REQUIRES: the same size.
  void keep(const DocSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
  }

  std::uint64_t count() const {
    std::uint64_t total = 0;
    for (const auto word : words_) total += static_cast<std::uint64_t>(std::popcount(word));
    return total;
  }

  /// Calls `visit(position)` upwards, from the `skip`-th member on, until it gives false.
  template <class Visit>
  void each(std::uint64_t skip, const Visit& visit) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      std::uint64_t word = words_[i];
      const auto members = static_cast<std::uint64_t>(std::popcount(word));
      if (skip >= members) {
        skip -= members;
        continue;
      }
      for (; word != 0; word &= word - 1) {
        if (skip > 0) {
          --skip;
          continue;
        }
        if (!visit(static_cast<std::uint32_t>(i * 64 + static_cast<std::size_t>(std::countr_zero(word))))) return;
      }
    }
  }

  std::vector<std::uint64_t>& words() { return words_; }
  const std::vector<std::uint64_t>& words() const { return words_; }

 private:
  static std::uint64_t bit(std::uint32_t position) { return std::uint64_t{1} << (position % 64); }

  std::uint32_t size_;
  std::vector<std::uint64_t> words_;
};

}  // namespace tonearm::catalog
