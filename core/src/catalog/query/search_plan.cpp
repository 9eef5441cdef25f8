#include "catalog/query/search_plan.h"

#include <algorithm>
#include <functional>
#include <iterator>

#include "catalog/index/facets.h"

namespace tonearm::catalog {
namespace {

/// MOST-4: further clauses only rank.
constexpr std::size_t kCountedByMost = 8;
constexpr std::size_t kRankedByMost = 16;
/// AUTO-3: more would read too much of a remote file.
constexpr std::ptrdiff_t kRelatedRead = 24;
/// AUTO-1
constexpr std::size_t kCountedByAuto = 16;

/// Without scores only members are read. The best tracks are enough for the first pages of a single term; without
/// filters its impacts are not read at all.
PostingParts posting_parts_for(const SearchPlan& plan, const SearchQuery& query) {
  const bool is_one_term = plan.tokens.size() == 1 && plan.boosts.empty() && plan.clauses.size() == 1 &&
                           plan.clauses.front().term_sets.size() == 1;
  const bool has_best = is_one_term && std::uint64_t{query.offset} + query.limit <= kBestStored;
  const bool is_narrowed =
      !plan.filters.empty() || !plan.excluded.empty() || !plan.unwanted.empty() || query.variants == Variants::collapse;
  if (plan.scores == Scores::none) return PostingParts::members;
  if (!has_best) return PostingParts::scores;
  return is_narrowed ? PostingParts::all : PostingParts::best;
}

}  // namespace

std::vector<std::string> SearchPlan::keys() const {
  std::vector<std::string> keys;
  for (const Clause& clause : clauses) {
    for (const TermSet& terms : clause.term_sets) {
      for (const std::string& stem : terms) keys.push_back(text_key(stem));
    }
  }
  for (const Clause& clause : clauses) {
    for (const std::string& tag : clause.tags) {
      for (const std::string_view facet : kFacetNames) keys.push_back(facet_key(facet, tag));
    }
  }
  for (const std::vector<ExcludedKeys>* sets : {&unwanted, &excluded}) {
    for (const ExcludedKeys& all_of : *sets) keys.insert(keys.end(), all_of.begin(), all_of.end());
  }
  for (const AnyOfKeys& any_of : filters) keys.insert(keys.end(), any_of.begin(), any_of.end());
  for (const BoostCandidate& boost : boosts) {
    if (!boost.phrase) keys.push_back(boost.key);
  }
  return keys;
}

std::vector<std::uint64_t> SearchPlan::phrases() const {
  std::vector<std::uint64_t> hashes;
  for (const BoostCandidate& boost : boosts) {
    if (boost.phrase) hashes.push_back(boost.phrase->hash);
  }
  return hashes;
}

std::vector<RelatedTargets> related_targets(const SearchPlan& plan, const Thesaurus& thesaurus) {
  std::vector<RelatedTargets> all;
  std::vector<std::uint8_t> weights;
  for (const std::uint64_t phrase : plan.related_phrases) {
    RelatedTargets of_phrase{phrase, thesaurus.find(phrase)};
    std::erase_if(of_phrase.targets, [](const ThesaurusTarget& it) { return it.relation != Relation::related; });
    for (const ThesaurusTarget& target : of_phrase.targets) weights.push_back(target.weight);
    if (!of_phrase.targets.empty()) all.push_back(std::move(of_phrase));
  }
  if (std::ssize(weights) <= kRelatedRead) return all;
  // Of equal weights, the first are kept.
  std::sort(weights.begin(), weights.end(), std::greater<>());
  const std::uint8_t least = weights[kRelatedRead - 1];
  auto kept_of_least = std::count(weights.begin(), weights.begin() + kRelatedRead, least);
  for (RelatedTargets& of_phrase : all) {
    std::erase_if(of_phrase.targets, [&](const ThesaurusTarget& it) {
      return it.weight < least || (it.weight == least && kept_of_least-- <= 0);
    });
  }
  std::erase_if(all, [](const RelatedTargets& it) { return it.targets.empty(); });
  return all;
}

SearchPlan plan_search(const SearchQuery& query, QueryTexts texts, const Synonyms& synonyms, Scores scores) {
  SearchPlan plan;
  plan.scores = scores;
  plan.tokens = std::move(texts.tokens);
  plan.unwanted = keys_of_terms(texts.unwanted);
  plan.excluded = excluded_keys(texts.excluded, query);
  std::vector<ParsedClause> parsed = split_clauses(plan.tokens, synonyms);
  if (scores == Scores::wanted) plan.synonyms = find_synonym_phrases(parsed);
  if (query.match == WordMatch::automatic) plan.related_phrases = related_phrases(plan.tokens, parsed);
  plan.clauses = make_clauses(std::move(parsed));
  if (query.match == WordMatch::most) {
    plan.counted_clauses = std::min(plan.clauses.size(), kCountedByMost);
    plan.clauses.resize(std::min(plan.clauses.size(), kRankedByMost));
    // Clauses that are not counted serve only ranking.
    if (scores == Scores::none) plan.clauses.resize(plan.counted_clauses);
  } else if (query.match == WordMatch::automatic) {
    plan.counted_clauses = std::min(plan.clauses.size(), kCountedByAuto);
  }
  // A single clause is never missing.
  const bool reads_tags = query.match == WordMatch::automatic && scores == Scores::wanted && plan.clauses.size() > 1;
  if (!reads_tags) {
    for (Clause& clause : plan.clauses) clause.tags.clear();
  }
  plan.filters = filter_keys(query);
  if (scores == Scores::wanted) plan.boosts = boost_candidates(plan.boost_texts());
  plan.parts = posting_parts_for(plan, query);
  return plan;
}

}  // namespace tonearm::catalog
