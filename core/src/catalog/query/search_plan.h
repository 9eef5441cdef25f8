#pragma once
// Lists what a search will read of the index, from the query alone, before anything is read. Refers to the synonyms.
// Pure, thread-safe.

#include <span>
#include <vector>

#include "catalog/query/boost.h"
#include "catalog/query/exclude.h"
#include "catalog/query/filter.h"
#include "catalog/query/query_terms.h"

namespace tonearm::catalog {

enum class Scores : std::uint8_t { none, wanted };

struct SearchPlan {
  Scores scores = Scores::none;
  std::vector<Token> tokens;            // of q
  std::vector<SynonymPhrase> synonyms;  // of its phrases; none if no scores are wanted. They refer to Synonyms
  std::vector<Clause> clauses;          // all must match; none: the words filter nothing
  /// match=auto and most: how many clauses from the first count and may be missing (AUTO-1, MOST-1); 0 otherwise
  std::size_t counted_clauses = 0;
  std::vector<ExcludedKeys> unwanted;          // match=auto: tracks that match any are last in their tier (AUTO-5)
  std::vector<std::uint64_t> related_phrases;  // match=auto: for the thesaurus (AUTO-3)
  std::vector<AnyOfKeys> filters;              // all must match
  std::vector<ExcludedKeys> excluded;          // none may match
  std::vector<BoostCandidate> boosts;          // none if no scores are wanted
  PostingParts parts = PostingParts::all;      // the parts of posting lists of terms that are read
  PostingParts related_parts = PostingParts::scores;  // those of related words: only members if no tracks are wanted

  BoostTexts boost_texts() const { return {tokens, synonyms}; }
  /// Returns every key of the term dictionary that the search looks up.
  std::vector<std::string> keys() const;
  /// Returns the hash of every phrase that the search looks up.
  std::vector<std::uint64_t> phrases() const;
};

/// The tokenized texts of a query.
struct QueryTexts {
  std::vector<Token> tokens;      // of q
  std::vector<TermSet> unwanted;  // of q; not among the tokens
  std::vector<TermSet> excluded;  // SEARCH-10
};
/// The related words of a phrase of a query.
struct RelatedTargets {
  std::uint64_t phrase = 0;
  std::vector<ThesaurusTarget> targets;
};
/// Returns the related words that a search reads (AUTO-3): of all phrases together, those with the highest weights.
/// Reads the entries of the phrases.
std::vector<RelatedTargets> related_targets(const SearchPlan& plan, const Thesaurus& thesaurus);

SearchPlan plan_search(const SearchQuery& query, QueryTexts texts, const Synonyms& synonyms, Scores scores);

}  // namespace tonearm::catalog
