#pragma once
// From the text of `q` to groups of words that must match (C4.2, C4.3). Pure, thread-safe once made.

#include <map>
#include <span>
#include <string>
#include <vector>

#include "catalog/tokenizer.h"

namespace tonearm::catalog {

/// Words of a phrase, each once, in the order of bytes: a phrase matches where a track has all of them.
using Phrase = std::vector<std::string>;

/// Matches where any of its phrases does.
struct WordGroup {
  std::vector<Phrase> phrases;
  std::vector<Phrase> asked;  // those of them that stand in the query, in its order; the others are synonyms

  bool says_the_same(const WordGroup& other) const { return phrases == other.phrases; }
  friend bool operator==(const WordGroup&, const WordGroup&) = default;
};

/// Sets of phrases that mean the same, compared as words of the tokenizer. A phrase that stands in several
/// sets means what all of them mean.
class Synonyms {
 public:
  void add_set(const std::vector<std::string>& phrases, Tokenizer& tokenizer);

  struct Found {
    std::size_t length = 0;  // in words; 0: no phrase begins here
    std::vector<Phrase> phrases;
  };
  /// The longest phrase that `words` begin with.
  Found longest(std::span<const Word> words) const;

 private:
  std::vector<std::vector<Phrase>> sets_;
  std::map<std::vector<std::string>, std::vector<std::size_t>> sets_of_phrase_;
  std::size_t longest_ = 0;
};

/// C4.3, as whole words without case and diacritics: other words of the same stem ("musical") do not count.
bool is_function_word(std::string_view folded);

/// What the first words of a query ask for.
struct GroupedWords {
  WordGroup group;
  std::size_t length = 0;         // in words
  bool is_function_word = false;  // excludes nothing where the query has other words
};

/// The words of a query one group after the other: synonyms first, the longest from left to right.
std::vector<GroupedWords> split_groups(std::span<const Word> words, const Synonyms& synonyms);

/// All groups must match; none: `q` has no words, and filters nothing. Groups that say the same stand once, so
/// that a repeated word does not weigh more; what any of them asks for is asked.
std::vector<WordGroup> group_words(std::span<const Word> words, const Synonyms& synonyms);

}  // namespace tonearm::catalog
