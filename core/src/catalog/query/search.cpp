#include "catalog/query/search.h"

#include <algorithm>
#include <utility>

#include "catalog/index/facets.h"
#include "catalog/query/ranking.h"
#include "catalog/query/sorting.h"
#include "catalog/query/unwanted.h"

namespace tonearm::catalog {
namespace {

bool is_by_score(const SearchPlan& plan, Sort sort) { return sort != Sort::shuffle && plan.scores == Scores::wanted; }

/// Collapses tier by tier: a variant that one tier shows is hidden in later ones. Removes tiers that become empty.
void collapse_tiers(Tiers& tiers, Collapse& collapse, Collapse::Order order, const Matcher& matcher) {
  for (Tier& tier : tiers.tiers) {
    matcher.select_tier(tier, tiers);
    collapse.count(tier.matches);
  }
  if (!collapse.hides_any()) return;
  for (Tier& tier : tiers.tiers) {
    matcher.prepare_for_page(tier, tiers, order.plan);
    order.by_score = order.by_score || tier.is_related();
    collapse.collapse(tier.matches, order);
  }
  std::erase_if(tiers.tiers, [](const Tier& tier) { return tier.matches.total == 0; });
}

template <class Split>
std::vector<Tier> split_each(std::vector<Tier>& tiers, const Split& split) {
  std::vector<Tier> parts;
  for (Tier& tier : tiers) {
    for (Tier& part : split(tier)) parts.push_back(std::move(part));
  }
  return parts;
}

/// Returns the roles of all tokens: only match=auto distinguishes them.
std::vector<TokenRole> roles_of(std::string_view q, std::span<const Token> tokens, WordMatch match,
                                const Synonyms& synonyms) {
  if (match == WordMatch::automatic) return token_roles(q, tokens, synonyms);
  return std::vector<TokenRole>(tokens.size(), TokenRole::wanted);
}

}  // namespace

QueryTexts Search::read_texts(const SearchQuery& query, SearchContext& context) const {
  const std::vector<Token> tokens = context.tokenizer.tokens(query.q);
  const std::vector<TokenRole> roles = roles_of(query.q, tokens, query.match, synonyms_);
  return {tokens_with(TokenRole::wanted, tokens, roles), unwanted_term_sets(tokens, roles),
          excluded_term_sets(query.excluded, context.tokenizer)};
}

std::optional<Collapse> Search::collapse_of(const SearchQuery& query, SearchContext& context) const {
  if (query.variants == Variants::keep) return std::nullopt;
  return Collapse({index_, fetcher_, context.scratch});
}

Matches Search::match(const SearchQuery& query, const SearchPlan& plan, SearchContext& context) const {
  fetcher_.search(plan);
  return Matcher({index_, fetcher_, kernels_, context.scratch}).match(query, plan);
}

Tiers Search::match_tiers(const SearchQuery& query, const SearchPlan& plan, SearchContext& context) const {
  fetcher_.search(plan);
  return Matcher({index_, fetcher_, kernels_, context.scratch}).match_tiers(query, plan);
}

std::vector<Matches> Search::matches(const SearchQuery& query, SearchContext& context) const {
  const SearchPlan plan = plan_search(query, read_texts(query, context), synonyms_, Scores::none);
  std::vector<Matches> found;
  if (plan.counted_clauses == 0) {
    found.push_back(match(query, plan, context));
    return found;
  }
  Tiers tiers = match_tiers(query, plan, context);
  const Matcher matcher({index_, fetcher_, kernels_, context.scratch});
  for (Tier& tier : tiers.tiers) {
    matcher.select_tier(tier, tiers);
    found.push_back(std::move(tier.matches));
  }
  return found;
}

void Search::prefetch(const SearchQuery& query, SearchContext& context) const {
  if (fetcher_.is_remote()) fetcher_.search(plan_search(query, read_texts(query, context), synonyms_, Scores::none));
}

std::uint64_t Search::count(const SearchQuery& query, SearchContext& context) const {
  if (std::optional<Collapse> collapse = collapse_of(query, context)) {
    std::uint64_t shown = 0;
    for (const Matches& tier : matches(query, context)) shown += collapse->count(tier);
    return shown;
  }
  SearchPlan plan = plan_search(query, read_texts(query, context), synonyms_, Scores::none);
  plan.related_parts = PostingParts::members;
  return plan.counted_clauses == 0 ? match(query, plan, context).total : match_tiers(query, plan, context).total();
}

SearchPlan Search::plan_page(const SearchQuery& query, SearchContext& context) const {
  QueryTexts texts = read_texts(query, context);
  const bool has_words = !texts.tokens.empty();
  // Without tracks on the page, nothing is ranked: suggestions ask only for totals.
  const bool by_score = effective_sort(query.sort, has_words) == Sort::relevance && has_words && query.limit > 0;
  SearchPlan plan = plan_search(query, std::move(texts), synonyms_, by_score ? Scores::wanted : Scores::none);
  if (query.limit == 0) plan.related_parts = PostingParts::members;
  return plan;
}

std::uint64_t Search::most_matches(const SearchPlan& plan, Kind kind) const {
  const std::uint64_t all = index_.layout.speech_end;
  const auto count_of = [&](const std::string& key) {
    if (!TermIndex::is_short(key)) return all;
    const auto counts = index_.terms.counts(key);
    return kind == Kind::music ? std::uint64_t{counts[0]} : std::uint64_t{counts[1]} + counts[2];
  };
  std::uint64_t most = all;
  for (const AnyOfKeys& any_of : plan.filters) {
    std::uint64_t sum = 0;
    for (const std::string& key : any_of) sum += count_of(key);
    most = std::min(most, sum);
  }
  std::uint64_t of_any_clause = 0;
  for (const Clause& clause : plan.clauses) {
    if (has_narrower(clause, index_.thesaurus)) return most;
    std::uint64_t of_clause = 0;
    for (const TermSet& terms : clause.term_sets) {
      std::uint64_t rarest = most;
      for (const std::string& stem : terms) rarest = std::min(rarest, count_of(text_key(stem)));
      of_clause += rarest;
    }
    of_any_clause += of_clause;
    if (plan.counted_clauses == 0) most = std::min(most, of_clause);
  }
  return plan.counted_clauses == 0 ? most : std::min(most, of_any_clause);
}

Page Search::page(const SearchQuery& query, SearchContext& context) const {
  const SearchPlan plan = plan_page(query, context);
  const Sort sort = effective_sort(query.sort, !plan.tokens.empty());
  if (plan.counted_clauses > 0) return page_of_tiers(query, plan, sort, context);
  Matches matches = match(query, plan, context);
  std::optional<Collapse> collapse = collapse_of(query, context);
  if (collapse) {
    collapse->count(matches);
    collapse->collapse(matches, {query, plan, sort, is_by_score(plan, sort)});
  }
  Page page;
  page.tracks = page_of(matches, query, plan, sort, {query.offset, query.limit});
  page.total = matches.total;
  if (collapse) page.variants = collapse->count_variants(page.tracks);
  return page;
}

/// Appends the tracks of a tier that are on the page, and advances to what is left of it.
void Search::append_tier(Page& page, PageRange& left, Tier& tier, const PageOrder& order) const {
  const auto& [query, plan, sort, tiers, matcher] = order;
  const std::uint64_t total = tier.matches.total;
  if (left.limit > 0 && left.offset < total) {
    matcher.prepare_for_page(tier, tiers, plan);
    const std::vector<std::uint32_t> part = tier.is_related()
                                                ? page_by_score(tier.matches, {}, {index_, fetcher_}, kernels_, left)
                                                : page_of(tier.matches, query, plan, sort, left);
    page.tracks.insert(page.tracks.end(), part.begin(), part.end());
    left.limit -= std::min<std::uint64_t>(left.limit, part.size());
  }
  left.offset -= std::min(left.offset, total);
}

/// Pages through the tiers one after the other (AUTO-2, MOST-2).
Page Search::page_of_tiers(const SearchQuery& query, const SearchPlan& plan, Sort sort, SearchContext& context) const {
  Tiers tiers = match_tiers(query, plan, context);
  const Matcher matcher({index_, fetcher_, kernels_, context.scratch});
  std::optional<Collapse> collapse = collapse_of(query, context);
  const auto split = [&](Tier& tier) { return matcher.split_unwanted(std::move(tier), tiers, plan); };
  const bool has_unwanted = !plan.unwanted.empty();
  if (collapse) {
    // Which variants are shown depends on the whole order.
    if (has_unwanted && query.limit > 0) tiers.tiers = split_each(tiers.tiers, split);
    collapse_tiers(tiers, *collapse, {query, plan, sort, is_by_score(plan, sort)}, matcher);
  }
  Page page;
  page.words = static_cast<std::uint32_t>(plan.counted_clauses);
  page.has_unwanted = has_unwanted;
  PageRange left{query.offset, query.limit};
  const PageOrder order{query, plan, sort, tiers, matcher};
  for (Tier& tier : tiers.tiers) {
    const std::uint64_t total = tier.matches.total;
    page.total += total;
    if (page.matched.empty() || page.matched.back().words != tier.matched_clauses) {
      page.matched.push_back({tier.matched_clauses, 0});
    }
    page.matched.back().total += total;
    if (has_unwanted && !collapse && left.limit > 0 && left.offset < total) {
      for (Tier& part : split(tier)) append_tier(page, left, part, order);
    } else {
      append_tier(page, left, tier, order);
    }
  }
  if (collapse) page.variants = collapse->count_variants(page.tracks);
  return page;
}

std::vector<std::uint32_t> Search::page_of(Matches& matches, const SearchQuery& query, const SearchPlan& plan,
                                           Sort sort, const PageRange& page) const {
  if (sort == Sort::shuffle) return page_shuffled(matches, query.seed, index_.layout.size, page);
  if (plan.scores == Scores::wanted) {
    // A single match needs no order.
    const auto boosts = matches.total < 2 ? std::vector<Boost>{} : read_boosts(plan.boosts, plan.boost_texts(), index_);
    return page_by_score(matches, boosts, {index_, fetcher_}, kernels_, page);
  }
  return page_by_sort(matches, query, sort, page, index_, fetcher_);
}

std::vector<Catalog::QueryTerm> Search::terms(std::string_view text, WordMatch match, SearchContext& context) const {
  const std::vector<Token> all = context.tokenizer.tokens(text);
  const std::vector<TokenRole> roles = roles_of(text, all, match, synonyms_);
  const std::vector<Token> tokens = tokens_with(TokenRole::wanted, all, roles);
  const std::vector<ParsedClause> clauses = split_clauses(tokens, synonyms_);
  const bool has_content_terms =
      std::any_of(clauses.begin(), clauses.end(), [](const auto& it) { return !it.is_function_word; });
  const auto is_indexed = [&](const std::string& stem) { return index_.terms.document_frequency(stem) > 0; };
  const auto can_match = [&](const TermSet& terms) { return std::all_of(terms.begin(), terms.end(), is_indexed); };

  std::vector<Catalog::QueryTerm> wanted;
  for (const ParsedClause& parsed : clauses) {
    const auto& term_sets = parsed.clause.term_sets;
    // Function words are not looked up.
    const bool known = (has_content_terms && parsed.is_function_word) ||
                       std::any_of(term_sets.begin(), term_sets.end(), can_match) ||
                       has_narrower(parsed.clause, index_.thesaurus);
    const auto same = std::find_if(clauses.begin(), clauses.end(),
                                   [&](const auto& it) { return it.clause.has_same_terms(parsed.clause); });
    for (std::size_t k = 0; k < parsed.length; ++k) {
      const Token& token = tokens[wanted.size()];
      wanted.push_back({token.begin, token.end, static_cast<std::uint32_t>(same - clauses.begin()),
                        static_cast<std::uint32_t>(&parsed - clauses.data()), known,
                        !(has_content_terms && parsed.is_function_word), false, false});
    }
  }
  std::vector<Catalog::QueryTerm> terms;
  auto next_wanted = wanted.begin();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (roles[i] == TokenRole::wanted) {
      terms.push_back(*next_wanted++);
    } else {
      const auto own = static_cast<std::uint32_t>(clauses.size() + i);
      terms.push_back({all[i].begin, all[i].end, own, own, true, false, roles[i] == TokenRole::negation,
                       roles[i] == TokenRole::unwanted});
    }
  }
  return terms;
}

}  // namespace tonearm::catalog
