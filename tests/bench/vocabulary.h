#pragma once
// Made-up words, and how often they are drawn. Pure, and the same on every machine: no floating point is used.

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "fakes.h"

namespace tonearm::bench {

inline constexpr std::uint32_t kVocabularySize = 500'000;

/// The word of a rank, 0 the commonest: two to four syllables of a consonant and a vowel, the last one in o or u, which
/// no stemmer changes. Different for all ranks. REQUIRES: rank < kVocabularySize.
std::string word(std::uint32_t rank);

/// Draws 0, 1, 2, ... with weights 1 / (rank + flatness): Zipf's law with the flat start that Mandelbrot gave it.
class Zipf {
 public:
  /// REQUIRES: both above 0.
  Zipf(std::uint32_t count, std::uint32_t flatness);
  std::uint32_t draw(test::SeededRandom& random) const;

 private:
  std::vector<std::uint64_t> sums_;
};

/// Throws std::logic_error where the tokenizer of the full-text index changes or splits a word of the vocabulary, or
/// where one is among `reserved`.
void check_vocabulary(const std::set<std::string>& reserved);

}  // namespace tonearm::bench
