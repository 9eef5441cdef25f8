// The tracks that match=auto adds because they contain words related to those of the query (AUTO-3).

#include <algorithm>

#include "catalog/index/facets.h"
#include "catalog/query/match.h"
#include "catalog/query/ranking.h"

namespace tonearm::catalog {
namespace {

constexpr std::uint64_t kRelatedTracksMax = 200;

}  // namespace

/// Returns a clause for each phrase of the query that has related words in the catalog.
RelatedClauses Matcher::related_clauses(const SearchPlan& plan) const {
  RelatedClauses related;
  for (const auto& [phrase, targets] : related_targets(plan, dependencies_.index.thesaurus)) {
    WeightedClause clause;
    std::vector<std::uint8_t> shares;
    for (const ThesaurusTarget& target : targets) {
      const auto terms = static_cast<std::uint32_t>(target.terms.size());
      clause.push_back(
          weigh_target(target, [&](std::uint32_t weight) { return related_weight(weight, target.weight, terms); }));
      shares.push_back(target.weight);
    }
    related.phrases.push_back(phrase);
    related.clauses.push_back(std::move(clause));
    related.shares.push_back(std::move(shares));
  }
  return related;
}

/// Whether a text of the clause in the query is the id of a tag.
bool Matcher::is_tag(const Clause& clause) const {
  return std::any_of(clause.tags.begin(), clause.tags.end(), [&](const std::string& tag) {
    return std::any_of(kFacetNames.begin(), kFacetNames.end(), [&](std::string_view facet) {
      return dependencies_.index.terms.posting_list(facet_key(facet, tag)).has_value();
    });
  });
}

/// Returns the clauses of a query for tracks that lack some word (AUTO-6): tags weigh more, each clause has the related
/// words of its own phrases as further alternatives, and each other phrase has a clause.
std::vector<WeightedClause> Matcher::with_related(const Tiers& tiers, const SearchPlan& plan) {
  std::vector<WeightedClause> clauses = tiers.clauses;
  for (std::size_t number = 0; number < clauses.size(); ++number) {
    if (!tiers.are_tags[number]) continue;
    for (WeightedTermSet& terms : clauses[number]) {
      for (WeightedTerm& term : terms) term.weight = tag_weight(term.weight);
    }
  }
  const RelatedClauses& related = tiers.related;
  for (std::size_t i = 0; i < related.phrases.size(); ++i) {
    WeightedClause alternatives = related.clauses[i];
    for (std::size_t k = 0; k < alternatives.size(); ++k) {
      for (WeightedTerm& term : alternatives[k]) term.boost = close_boost(term.weight, related.shares[i][k]);
    }
    bool is_own = false;
    for (std::size_t number = 0; number < tiers.clauses.size(); ++number) {
      const auto& phrases = plan.clauses[tiers.numbers[number]].phrases;
      if (std::find(phrases.begin(), phrases.end(), related.phrases[i]) == phrases.end()) continue;
      clauses[number].insert(clauses[number].end(), alternatives.begin(), alternatives.end());
      is_own = true;
    }
    if (!is_own) clauses.push_back(alternatives);
  }
  return clauses;
}

/// Adds the last tier. Its total is known; `select_related` finds its tracks.
void Matcher::add_related(Tiers& tiers, std::size_t counted_clauses, const SearchQuery& query, const SearchPlan& plan) {
  if (plan.related_phrases.empty()) return;
  dependencies_.fetcher.related(plan);
  tiers.related = related_clauses(plan);
  if (tiers.related.clauses.empty()) return;
  Matches found = mark_related(tiers, counted_clauses, query, read_conditions(plan));
  if (found.total == 0) return;
  found.total = std::min(found.total, kRelatedTracksMax);
  tiers.tiers.push_back({0, std::move(found)});
}

Matches Matcher::mark_related(const Tiers& tiers, std::size_t counted_clauses, const SearchQuery& query,
                              const Conditions& conditions) {
  const std::uint32_t all_words = words_for(dependencies_.index.layout.size);
  std::uint64_t* related = empty_bitmap();
  for (const WeightedClause& clause : tiers.related.clauses) unite(related, clause);
  std::uint64_t* held = empty_bitmap();
  for (const WeightedClause& word : std::span(tiers.clauses).first(counted_clauses)) unite(held, word);
  for (std::uint32_t i = 0; i < all_words; ++i) related[i] &= ~held[i];
  const std::array<const std::uint64_t*, 1> only{related};
  const BitRange kept = filtered_range(query, conditions, only);
  const std::uint32_t first = kept.range.first_word();
  const std::array<const std::uint64_t*, 2> both{related + first, kept.words + first};
  Matches found;
  found.total =
      dependencies_.kernels.intersect(related + first, both.data(), both.size(), kept.range.last_word() - first);
  found.bits = {related, kept.range};
  return found;
}

/// Keeps the best tracks, and scores them.
void Matcher::select_related(Matches& matches, const Tiers& all) const {
  if (!matches.scores.empty()) return;  // already selected
  matches.clauses = all.related.clauses;
  if (!matches.listed && count(matches.bits) <= dependencies_.index.layout.size / 32) list_members(matches);
  if (matches.listed) {
    score_listed(matches);
  } else {
    make_dense(matches);
  }
  if (matches.listed && matches.positions.size() <= kRelatedTracksMax) return;
  matches.total = matches.listed ? matches.positions.size() : count(matches.bits);
  matches.positions = page_by_score(matches, {}, {dependencies_.index, dependencies_.fetcher, PageKind::set},
                                    dependencies_.kernels, {0, kRelatedTracksMax});
  std::sort(matches.positions.begin(), matches.positions.end());
  matches.listed = true;
  matches.total = matches.positions.size();
  score_listed(matches);
}

}  // namespace tonearm::catalog
