#pragma once
// Splits the tokens of `q` into clauses, all of which must match (SEARCH-3 to SEARCH-5). Pure, thread-safe once made.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "catalog/index/thesaurus.h"
#include "catalog/index/tokenizer.h"

namespace tonearm::catalog {

/// Longer queries are hardly phrases: tokens after these count only for whole fields.
inline constexpr std::size_t kTokensInPhrases = 16;

/// Tags of more terms are found by their terms.
inline constexpr std::size_t kTermsInTag = 3;

/// Sorted terms without duplicates. Matches a track that contains all of them, in any order.
using TermSet = std::vector<std::string>;

/// Sorts stems and removes duplicates.
TermSet as_term_set(std::vector<std::string> stems);

/// A text of several tokens in a synonym set; a view into Synonyms.
using PhraseView = std::span<const Token>;

/// Matches a track if any of its term sets does.
struct Clause {
  std::vector<TermSet> term_sets;
  /// the sets that the query itself contains, in its order; the others are synonyms
  std::vector<TermSet> query_term_sets;
  std::vector<std::uint64_t> phrases = {};  // the hashes of its texts in the query, for the thesaurus (SEARCH-15)
  std::vector<std::string> tags = {};       // match=auto: the ids that tags of these texts have (AUTO-6)

  bool has_same_terms(const Clause& other) const { return term_sets == other.term_sets; }
  friend bool operator==(const Clause&, const Clause&) = default;
};

/// Sets of texts that mean the same, compared by their terms. A text in several sets is a synonym of every text in
/// them.
class Synonyms {
 public:
  void add_set(const std::vector<std::string>& texts, Tokenizer& tokenizer);

  struct Match {
    std::size_t length = 0;  // in tokens; 0: no synonym starts here
    std::vector<TermSet> term_sets;
    std::vector<PhraseView> phrases;  // the texts of several tokens
  };
  /// Returns the synonyms of the longest text at the start of `tokens`.
  Match longest_match(std::span<const Token> tokens) const;

 private:
  struct Set {
    std::vector<TermSet> term_sets;
    std::vector<std::vector<Token>> phrases;  // each of several tokens
  };
  std::vector<Set> sets_;
  std::map<std::vector<std::string>, std::vector<std::size_t>> sets_of_stems_;
  std::size_t longest_ = 0;
};

/// SEARCH-5: compares whole words without case and diacritics, so that other words of the same stem ("musical") do not
/// count.
bool is_function_word(std::string_view folded);

/// A clause and the tokens that it was made from. Refers to the synonyms.
struct ParsedClause {
  Clause clause;
  std::vector<PhraseView> phrases;  // the synonymous texts of several tokens, including the one in the query
  std::size_t length = 0;           // in tokens
  bool is_function_word = false;    // filters nothing if the query has other words
};

/// Returns the id of the tag that is these words: joined by hyphens.
std::string tag_of(std::span<const Token> tokens);

/// Returns the clauses of a query in its order. From left to right, the longest synonym takes precedence over single
/// tokens.
std::vector<ParsedClause> split_clauses(std::span<const Token> tokens, const Synonyms& synonyms);

/// Whether tracks with narrower phrases match the clause.
bool has_narrower(const Clause& clause, const Thesaurus& thesaurus);

/// Returns the hashes of the phrases of a query whose related words count: of each clause, and of adjacent tokens,
/// in the order of the query.
std::vector<std::uint64_t> related_phrases(std::span<const Token> tokens, std::span<const ParsedClause> clauses);

/// Returns the clauses that must match; none if `q` has no words. Merges clauses with the same terms, so that repeated
/// words do not weigh more; the merged clause has the `query_term_sets` of all of them.
std::vector<Clause> make_clauses(std::vector<ParsedClause> parsed);

}  // namespace tonearm::catalog
