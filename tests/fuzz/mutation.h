#pragma once
// Mutations of a corpus, the same for the same seed.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fakes.h"

namespace tonearm::fuzz {

class Mutator {
 public:
  /// REQUIRES: the corpus is not empty and outlives the object.
  Mutator(std::uint64_t seed, const std::vector<std::string>& corpus) : random_(seed), corpus_(corpus) {}

  /// Returns an input of the corpus after one to four changes.
  std::string next();

 private:
  void change(std::string& input);
  const std::string& any_input() { return corpus_[random_.below(corpus_.size())]; }
  /// Returns an offset from 0 to the size of the input.
  std::size_t offset(const std::string& input) { return random_.below(input.size() + 1); }

  test::SeededRandom random_;
  const std::vector<std::string>& corpus_;
};

}  // namespace tonearm::fuzz
