#pragma once
// From the tokens of `q` to clauses, all of which must match (SEARCH-3 to SEARCH-5). Pure, thread-safe once made.

#include <map>
#include <span>
#include <string>
#include <vector>

#include "catalog/index/tokenizer.h"

namespace tonearm::catalog {

/// Terms, each once, in the order of bytes. A set matches a track that contains all of them.
using TermSet = std::vector<std::string>;

/// Of stems in any order, however often they are there.
TermSet as_term_set(std::vector<std::string> stems);

/// A text of several tokens that a synonym set holds; a view of what Synonyms keeps.
using PhraseView = std::span<const Token>;

/// Matches a track if any of its term sets does.
struct Clause {
  std::vector<TermSet> term_sets;
  std::vector<TermSet> query_term_sets;  // those of them that are in the query, in its order; the others are synonyms

  bool has_same_terms(const Clause& other) const { return term_sets == other.term_sets; }
  friend bool operator==(const Clause&, const Clause&) = default;
};

/// Sets of texts that mean the same, compared by their terms. A text that is in several sets means what all of them
/// mean.
class Synonyms {
 public:
  void add_set(const std::vector<std::string>& texts, Tokenizer& tokenizer);

  struct Match {
    std::size_t length = 0;  // in tokens; 0: no synonym starts here
    std::vector<TermSet> term_sets;
    std::vector<PhraseView> phrases;  // the texts of several tokens
  };
  /// Of the longest text that `tokens` start with.
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

/// SEARCH-5, as whole words without case and diacritics: other words of the same stem ("musical") do not count.
bool is_function_word(std::string_view folded);

/// A clause, and the tokens that it was made from. It refers to the synonyms.
struct ParsedClause {
  Clause clause;
  std::vector<PhraseView> phrases;  // the texts of several tokens that mean the same; what is in the query is one too
  std::size_t length = 0;           // in tokens
  bool is_function_word = false;    // excludes nothing if the query has other words
};

/// The clauses of a query in its order; the longest synonyms from left to right take precedence over single tokens.
std::vector<ParsedClause> split_clauses(std::span<const Token> tokens, const Synonyms& synonyms);

/// The clauses that must match; none: `q` has no words, and filters nothing. Clauses with the same terms are merged, so
/// that a repeated word does not weigh more; `asked` is then that of all of them.
std::vector<Clause> make_clauses(std::vector<ParsedClause> parsed);

}  // namespace tonearm::catalog
