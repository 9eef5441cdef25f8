#pragma once
// What a search will read of the index: made from the query alone, before anything is read. It refers to the synonyms.
// Pure, thread-safe.

#include <span>
#include <vector>

#include "catalog/query/boost.h"
#include "catalog/query/filter.h"
#include "catalog/query/query_terms.h"

namespace tonearm::catalog {

enum class Scores : std::uint8_t { none, wanted };

struct SearchPlan {
  Scores scores = Scores::none;
  std::vector<Token> tokens;               // of q
  std::vector<SynonymPhrase> synonyms;     // of its phrases; none where scores are not wanted. They refer to Synonyms
  std::vector<Clause> clauses;             // all must match; none: the words filter nothing
  std::size_t counted_clauses = 0;         // not 0: the first so many count, and need not match (MOST-1)
  std::vector<AnyOfKeys> filters;          // all must hold
  std::vector<TermSet> excluded;           // none may be held
  std::vector<BoostCandidate> boosts;      // none where scores are not wanted
  PostingParts parts = PostingParts::all;  // that the bitmaps of terms are read for

  BoostTexts boost_texts() const { return {tokens, synonyms}; }
  /// Every key of the term dictionary that the search looks up.
  std::vector<std::string> keys() const;
  /// The hash of every phrase that it looks up.
  std::vector<std::uint64_t> phrases() const;
};

/// What was read of a query's texts.
struct QueryTexts {
  std::vector<Token> tokens;      // of q
  std::vector<TermSet> excluded;  // SEARCH-10
};
SearchPlan plan_search(const SearchQuery& query, QueryTexts texts, const Synonyms& synonyms, Scores scores);

}  // namespace tonearm::catalog
