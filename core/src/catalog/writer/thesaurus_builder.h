#pragma once
// Computes the section `thesaurus`: for each phrase, what is narrower or related over the shortest chains of relations.

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/index/thesaurus.h"
#include "catalog/index/tokenizer.h"

namespace tonearm::catalog {

/// A phrase may have at most this many relations of one kind; more would make the chains too many.
inline constexpr std::size_t kRelationsMax = 256;

class ThesaurusBuilder {
 public:
  /// Ignores phrases without a word or with more than kRelatedWordsMax. Throws Failure if a phrase has more than
  /// kRelationsMax narrower or related ones, or a weight is 0.
  ThesaurusBuilder(std::span<const std::vector<std::string>> synonyms, std::span<const PhraseRelation> relations,
                   Tokenizer& tokenizer);

  /// Returns the stems of all phrases, sorted, without duplicates.
  std::vector<std::string> stems() const;

  /// Returns the location of a stem's posting list; nothing if no track has it.
  using LocationOf = std::function<std::optional<PostingLocation>(const std::string& stem)>;
  /// Returns the section.
  std::string finish(const LocationOf& location_of) const;

 private:
  struct Step {
    std::size_t target = 0;  // a number of `phrases_`
    std::uint8_t weight = 0;
  };
  struct Phrase {
    std::vector<std::string> stems;  // in the order of the text
    std::vector<std::string> terms;  // the stems, sorted, without duplicates
    std::vector<std::size_t> same;   // numbers of `phrases_`
    std::vector<Step> narrower;
    std::vector<Step> related;
  };
  using Weights = std::map<std::size_t, std::uint8_t>;  // the highest of each target, by number
  /// The steps that a chain may still have.
  struct StepsLeft {
    int same = 1;
    int narrower = 2;
  };

  std::optional<std::size_t> number_of(std::string_view text, Tokenizer& tokenizer);
  void collect_narrower(std::size_t phrase, std::uint8_t weight, StepsLeft left, Weights& found) const;
  Weights narrower_of(std::size_t phrase) const;
  Weights related_of(std::size_t phrase) const;
  std::vector<ThesaurusTarget> targets_of(std::size_t phrase, const LocationOf& location_of) const;

  std::vector<Phrase> phrases_;
  std::map<std::vector<std::string>, std::size_t> numbers_;  // by stems
};

}  // namespace tonearm::catalog
