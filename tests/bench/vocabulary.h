#pragma once
// Made-up words and their frequencies. Pure, and the same on every machine, because no floating point is used.

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "fakes.h"

namespace tonearm::bench {

inline constexpr std::uint32_t kVocabularySize = 500'000;

/// Returns the word of a rank, 0 being the most frequent: two to four syllables of a consonant and a vowel. The last
/// vowel is o or u, so that no stemmer changes the word. Words of different ranks differ. REQUIRES: rank <
/// kVocabularySize.
std::string word(std::uint32_t rank);

/// Draws 0, 1, 2, ... with weights 1 / (rank + flatness): Zipf's law with Mandelbrot's flat start.
class Zipf {
 public:
  /// REQUIRES: both are positive.
  Zipf(std::uint32_t count, std::uint32_t flatness);
  std::uint32_t draw(test::SeededRandom& random) const;

 private:
  std::vector<std::uint64_t> sums_;
};

/// Throws std::logic_error if the tokenizer of the full-text index changes or splits a word of the vocabulary, or if a
/// word is in `reserved`.
void check_vocabulary(const std::set<std::string>& reserved);

}  // namespace tonearm::bench
