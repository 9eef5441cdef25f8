#pragma once
// Some of many sorted numbers, always at hand: they tell which few of the others a search has to read. Constant, safe
// for concurrent use.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "catalog/extent.h"

namespace tonearm::catalog {

/// What samples keep of a hash.
constexpr std::uint32_t upper_half(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32U); }

/// Numbers `begin` to before `end` of an array.
struct Between {
  std::size_t begin = 0;
  std::size_t end = 0;
};

class Samples {
 public:
  /// How many samples `count` numbers have where each `step`-th is one, from the first on: even, so that what stands
  /// behind them may be of 8 bytes.
  static std::size_t count_of(std::size_t count, std::size_t step) { return ((count + step - 1) / step + 1) / 2 * 2; }
  /// `at(i)` gives the i-th of `count` sorted numbers.
  template <class At>
  static std::vector<std::uint32_t> make(std::size_t count, std::size_t step, const At& at) {
    std::vector<std::uint32_t> samples;
    for (std::size_t i = 0; i < count; i += step) samples.push_back(at(i));
    samples.resize(count_of(count, step), ~std::uint32_t{0});
    return samples;
  }

  /// REQUIRES: `samples` are as many as `count_of` says; where they lie in memory, they outlive the object.
  Samples(const Array<std::uint32_t>& samples, std::size_t count, std::size_t step)
      : samples_(samples), count_(count), step_(step) {
    if (samples.is_in_memory()) return;
    kept_.assign(samples.begin(), samples.end());
    samples_ = kept_;
  }
  // A view of what it keeps would be one of another's.
  Samples(const Samples&) = delete;
  Samples& operator=(const Samples&) = delete;

  /// For verification: whether these are all.
  bool are(const std::vector<std::uint32_t>& samples) const {
    return std::equal(samples.begin(), samples.end(), samples_.begin(), samples_.end());
  }
  /// All numbers that equal `value` are among these; those before are below it, those behind above.
  Between around(std::uint32_t value) const {
    const std::size_t samples = (count_ + step_ - 1) / step_;
    const auto end = samples_.begin() + static_cast<std::ptrdiff_t>(samples);
    const auto first = std::lower_bound(samples_.begin(), end, value) - samples_.begin();
    const auto behind = std::upper_bound(samples_.begin(), end, value) - samples_.begin();
    const std::size_t begin = first == 0 ? 0 : (static_cast<std::size_t>(first) - 1) * step_;
    return {begin, std::max(begin, std::min(static_cast<std::size_t>(behind) * step_, count_))};
  }

 private:
  Array<std::uint32_t> samples_;
  std::size_t count_;
  std::size_t step_;
  std::vector<std::uint32_t> kept_;  // where the file does not lie in memory
};

/// The first number from `between.begin` on that is not below `value`; `between.end` where none before that is. `at(i)`
/// gives the i-th, and they are sorted.
template <class Value, class At>
std::size_t first_not_below(Value value, Between between, const At& at) {
  while (between.begin < between.end) {
    const std::size_t middle = between.begin + (between.end - between.begin) / 2;
    if (at(middle) < value) {
      between.begin = middle + 1;
    } else {
      between.end = middle;
    }
  }
  return between.begin;
}

}  // namespace tonearm::catalog
