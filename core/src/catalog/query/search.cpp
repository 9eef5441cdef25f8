#include "catalog/query/search.h"

#include <algorithm>

#include "catalog/query/ranking.h"
#include "catalog/query/sorting.h"

namespace tonearm::catalog {
namespace {

QueryTexts read_texts(const SearchQuery& query, SearchContext& context) {
  return {context.tokenizer.tokens(query.q), excluded_terms(query.excluded, context.tokenizer)};
}

}  // namespace

Matches Search::match(const SearchQuery& query, const SearchPlan& plan, SearchContext& context) const {
  fetcher_.search(plan);
  return Matcher({index_, fetcher_, kernels_, context.scratch}).match(query, plan);
}

std::uint64_t Search::count(const SearchQuery& query, SearchContext& context) const {
  const SearchPlan plan = plan_search(query, read_texts(query, context), synonyms_, Scores::none);
  return match(query, plan, context).total;
}

Page Search::page(const SearchQuery& query, SearchContext& context) const {
  QueryTexts texts = read_texts(query, context);
  const Sort sort = query.sort.value_or(texts.tokens.empty() ? Sort::shuffle : Sort::relevance);
  const bool by_score = sort == Sort::relevance && !texts.tokens.empty();
  const SearchPlan plan = plan_search(query, std::move(texts), synonyms_, by_score ? Scores::wanted : Scores::none);
  Matches matches = match(query, plan, context);
  const PageRange page{query.offset, query.limit};
  if (sort == Sort::shuffle) return {page_shuffled(matches, query.seed, index_.layout.size, page), matches.total};
  if (by_score) {
    // A single match needs no order.
    const auto boosts = matches.total < 2 ? std::vector<Boost>{} : read_boosts(plan.boosts, plan.tokens, index_);
    return {page_by_score(matches, boosts, {index_, fetcher_}, kernels_, page), matches.total};
  }
  // SORT-3: `relevance` without words is the order of quality.
  const Sort stored = sort == Sort::relevance ? Sort::quality : sort;
  return {page_by_sort(matches, query, stored, index_, fetcher_), matches.total};
}

std::vector<Catalog::QueryTerm> Search::terms(std::string_view text, SearchContext& context) const {
  const std::vector<Token> tokens = context.tokenizer.tokens(text);
  const std::vector<ParsedClause> clauses = split_clauses(tokens, synonyms_);
  const bool tells = std::any_of(clauses.begin(), clauses.end(), [](const auto& it) { return !it.is_function_word; });
  const auto occurs = [&](const std::string& stem) { return index_.terms.tracks_with(stem) > 0; };
  const auto can_match = [&](const TermSet& terms) { return std::all_of(terms.begin(), terms.end(), occurs); };

  std::vector<Catalog::QueryTerm> terms;
  for (const ParsedClause& parsed : clauses) {
    const auto& term_sets = parsed.clause.term_sets;
    const bool known = std::any_of(term_sets.begin(), term_sets.end(), can_match);
    const auto same = std::find_if(clauses.begin(), clauses.end(),
                                   [&](const auto& it) { return it.clause.has_same_terms(parsed.clause); });
    for (std::size_t k = 0; k < parsed.length; ++k) {
      const Token& token = tokens[terms.size()];
      terms.push_back({token.begin, token.end, static_cast<std::uint32_t>(same - clauses.begin()),
                       static_cast<std::uint32_t>(&parsed - clauses.data()), known,
                       !(tells && parsed.is_function_word)});
    }
  }
  return terms;
}

}  // namespace tonearm::catalog
