#pragma once
// The only random source of a composition. It yields integers, so that every machine writes the same notes.

#include <cstdint>
#include <string_view>

namespace tonearm::demo {

class Random {
 public:
  /// The same seed and purpose yield the same numbers. Different purposes yield independent numbers.
  Random(std::uint64_t seed, std::string_view purpose) : state_(seed) {
    for (const char byte : purpose) state_ = (state_ ^ static_cast<unsigned char>(byte)) * 0x100000001B3ULL;
  }

  /// Returns 0 to bound - 1. REQUIRES: bound > 0.
  int below(int bound) { return static_cast<int>(next() % static_cast<std::uint64_t>(bound)); }
  /// Returns a number from `low` to `high`, inclusive.
  int between(int low, int high) { return low + below(high - low + 1); }
  bool chance(int percent) { return below(100) < percent; }
  template <class Items>
  const auto& pick(const Items& items) {
    return items[static_cast<std::size_t>(below(static_cast<int>(items.size())))];
  }

 private:
  std::uint64_t next() {  // SplitMix64
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
    return (z ^ (z >> 31U)) >> 8U;
  }

  std::uint64_t state_;
};

}  // namespace tonearm::demo
