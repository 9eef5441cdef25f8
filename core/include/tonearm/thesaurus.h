#pragma once
// How the phrases of the thesaurus are related, beside those that mean the same (SEARCH-4).

#include <cstdint>
#include <string>

namespace tonearm {

enum class Relation : std::uint8_t {
  narrower = 0,  // a search for the phrase also matches the target, but not the reverse: "dog" finds "labrador"
  related = 1,   // the target never counts as the phrase
};

/// A relation from a phrase to a target. It has one direction.
struct PhraseRelation {
  std::string phrase;
  std::string target;
  Relation relation = Relation::narrower;
  std::uint8_t weight = 0;  // 1..255, in 256ths of the weight of the phrase

  friend bool operator==(const PhraseRelation&, const PhraseRelation&) = default;
};

/// Phrases of a relation have at most this many words.
inline constexpr std::size_t kRelatedWordsMax = 3;

}  // namespace tonearm
