#pragma once
// The only source of chance in a composition: integers, so that every machine writes the same notes.

#include <cstdint>
#include <string_view>

namespace tonearm::builder::demo {

class Dice {
 public:
  /// The same numbers for the same seed and purpose; another purpose shares nothing with it.
  Dice(std::uint64_t seed, std::string_view purpose) : state_(seed) {
    for (const char byte : purpose) state_ = (state_ ^ static_cast<unsigned char>(byte)) * 0x100000001B3ULL;
  }

  /// 0 to sides - 1. REQUIRES: sides > 0.
  int below(int sides) { return static_cast<int>(next() % static_cast<std::uint64_t>(sides)); }
  /// Both ends included.
  int between(int low, int high) { return low + below(high - low + 1); }
  bool happens(int percent) { return below(100) < percent; }
  template <class Items>
  const auto& one_of(const Items& items) {
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

}  // namespace tonearm::builder::demo
