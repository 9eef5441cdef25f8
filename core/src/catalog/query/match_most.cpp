// Matches with match=most (MOST-1). Few candidates are listed and count their clauses one by one. For many, clauses are
// counted for all tracks at once, in counters that are stored bit by bit in bitmaps (planes).

#include <algorithm>
#include <array>
#include <utility>

#include "catalog/query/match.h"

namespace tonearm::catalog {
namespace {

/// Splits listed candidates into tiers. `matched`: the number of clauses that each position matches; `scores`: one for
/// each, or empty.
std::vector<Tier> split_into_tiers(std::span<const std::uint32_t> positions, std::span<const std::uint32_t> matched,
                                   std::span<const std::uint32_t> scores) {
  const std::uint32_t highest = matched.empty() ? 0 : *std::max_element(matched.begin(), matched.end());
  std::vector<Tier> tiers;
  for (std::uint32_t words = highest; words > 0 && words + 1 >= highest; --words) {
    Tier tier{words, {}};
    tier.matches.listed = true;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      if (matched[i] != words) continue;
      tier.matches.positions.push_back(positions[i]);
      if (!scores.empty()) tier.matches.scores.push_back(scores[i]);
    }
    tier.matches.total = tier.matches.positions.size();
    if (tier.matches.total > 0) tiers.push_back(std::move(tier));
  }
  return tiers;
}

}  // namespace

Tiers Matcher::match_most(const SearchQuery& query, const SearchPlan& plan) {
  dependencies_.scratch.clear();
  Tiers tiers;
  std::size_t counted_clauses = 0;
  for (std::size_t i = 0; i < plan.clauses.size(); ++i) {
    // A clause that no track matches counts for none.
    auto weighted = weigh(plan.clauses[i]);
    if (!weighted) continue;
    tiers.clauses.push_back(*std::move(weighted));
    if (i < plan.counted_clauses) ++counted_clauses;
  }
  if (counted_clauses == 0) return tiers;
  const Conditions conditions = read_conditions(plan);
  if (fill_listed_tiers(tiers, counted_clauses, query, conditions, plan.scores)) return tiers;
  if (tiers.clauses.size() > 1) {
    fill_dense_tiers(tiers, counted_clauses, query, conditions);
    return tiers;
  }
  // A single clause: the same as matching all.
  Tier tier{1, {}};
  tier.matches.clauses = tiers.clauses;
  fill_bits(tier.matches, query, conditions);
  if (tier.matches.total > 0) tiers.tiers.push_back(std::move(tier));
  return tiers;
}

/// Returns false without changes if there are too many candidates to list. The candidates are all tracks of a
/// condition, or those that match any counted clause.
bool Matcher::fill_listed_tiers(Tiers& tiers, std::size_t counted_clauses, const SearchQuery& query,
                                const Conditions& conditions, Scores scores) const {
  std::uint64_t max_candidates = 0;
  for (std::size_t i = 0; i < counted_clauses; ++i) max_candidates += max_matches(tiers.clauses[i]);
  const AnyOf* driver = nullptr;
  for (const AnyOf& condition : conditions.any_of) {
    if (condition.max_count() >= max_candidates) continue;
    max_candidates = condition.max_count();
    driver = &condition;
  }
  // As in `fill_list`: none of these posting lists is a bitmap.
  if (max_candidates > dependencies_.index.layout.size / 32) return false;
  std::vector<const PostingList*> lists;
  if (driver != nullptr) {
    for (const PostingList& list : driver->lists) lists.push_back(&list);
  } else {
    for (std::size_t i = 0; i < counted_clauses; ++i) {
      for (const WeightedTermSet& terms : tiers.clauses[i]) lists.push_back(&rarest(terms));
    }
  }
  const Positions positions = candidates(lists, query, conditions, driver);
  std::vector<std::uint32_t> matched(positions.size());
  std::vector<std::uint32_t> sums;
  if (scores == Scores::wanted) {
    for (WeightedClause& clause : tiers.clauses) load_lists(clause);
    sums.resize(positions.size());
  }
  for (std::size_t clause = 0; clause < tiers.clauses.size(); ++clause) {
    const std::uint32_t count = clause < counted_clauses ? 1 : 0;
    if (scores == Scores::none) {
      ClauseMembers members(tiers.clauses[clause]);
      for (std::size_t i = 0; i < positions.size(); ++i) {
        if (members.contains(positions[i])) matched[i] += count;
      }
      continue;
    }
    ClauseScores of_clause(tiers.clauses[clause]);
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const std::uint32_t score = of_clause.at(positions[i]);
      if (score == 0) continue;
      matched[i] += count;
      sums[i] = add_score(sums[i], score);
    }
  }
  tiers.tiers = split_into_tiers(positions, matched, sums);
  return true;
}

/// Returns the tracks that pass the filters; no bit outside the range is set. `clauses`: tracks that match none of them
/// may be omitted.
BitRange Matcher::filtered_range(const SearchQuery& query, const Conditions& conditions,
                                 std::span<const std::uint64_t* const> clauses) {
  const PositionRange range = positions_of_kind(query, dependencies_.index.layout);
  const std::uint32_t first = range.first_word();
  const std::uint32_t words = range.last_word() - first;
  std::vector<const std::uint64_t*> operands = filter_operands(query, conditions);
  if (!query.filters.duration_ms.empty()) {
    // Durations are looked up track by track, so only for tracks that match a clause.
    std::uint64_t* any = empty_bitmap();
    for (const std::uint64_t* clause : clauses) dependencies_.kernels.unite(any + first, clause + first, words);
    operands.push_back(any);
  }
  std::uint64_t* bits = empty_bitmap();
  intersect(bits, range, std::move(operands), conditions);
  if (words > 0) {
    bits[first] &= range.mask(first);
    bits[first + words - 1] &= range.mask(first + words - 1);
  }
  BitRange kept{bits, range};
  if (!query.filters.duration_ms.empty()) retain_durations(kept, query.filters.duration_ms);
  return kept;
}

void Matcher::fill_dense_tiers(Tiers& tiers, std::size_t counted_clauses, const SearchQuery& query,
                               const Conditions& conditions) {
  const Kernels& kernels = dependencies_.kernels;
  const std::uint32_t all_words = words_for(dependencies_.index.layout.size);
  std::vector<const std::uint64_t*> operands;
  for (std::size_t i = 0; i < counted_clauses; ++i) operands.push_back(bits_of(tiers.clauses[i]));
  const BitRange kept = filtered_range(query, conditions, operands);
  const std::uint32_t first = kept.range.first_word();
  const std::uint32_t words = kept.range.last_word() - first;
  for (const std::uint64_t*& operand : operands) operand += first;
  std::array<std::uint64_t*, Kernels::kPlanes> planes{};
  for (std::uint64_t*& plane : planes) plane = dependencies_.scratch.bitmap(all_words) + first;
  kernels.count_up(planes.data(), operands.data(), operands.size(), kept.words + first, words);

  // Finds the highest count from its highest bit down: keeps the tracks with the bit if there are any.
  std::uint64_t* left = nullptr;
  std::uint64_t* spare = dependencies_.scratch.bitmap(all_words) + first;
  std::uint64_t total = 0;
  std::uint32_t highest = 0;
  for (std::size_t bit = planes.size(); bit-- > 0;) {
    const std::array<const std::uint64_t*, 2> both{planes.at(bit), left};
    const std::uint64_t with = kernels.intersect(spare, both.data(), left == nullptr ? 1 : 2, words);
    if (with == 0) continue;
    total = with;
    highest |= 1U << bit;
    if (left == nullptr) left = dependencies_.scratch.bitmap(all_words) + first;
    std::swap(left, spare);
  }
  const auto add = [&](std::uint32_t matched, const std::uint64_t* bits, std::uint64_t count) {
    Tier& tier = tiers.tiers.emplace_back();
    tier.matched_clauses = matched;
    tier.matches.bits = {bits - first, kept.range};
    tier.matches.partition = partition_of(kept.range);
    tier.matches.total = count;
  };
  if (total > 0) add(highest, left, total);
  if (highest < 2) return;
  const std::array<const std::uint64_t*, Kernels::kPlanes> counts{planes[0], planes[1], planes[2], planes[3]};
  const std::uint64_t fewer = kernels.equal(spare, counts.data(), highest - 1, words);
  if (fewer > 0) add(highest - 1, spare, fewer);
}

/// Converts few matches to a list, which is cheaper to sort than a bitmap.
void Matcher::prepare_for_page(Tier& tier, const Tiers& all, Scores scores) const {
  Matches& matches = tier.matches;
  if (!matches.clauses.empty()) return;  // already complete
  matches.clauses = all.clauses;
  if (matches.listed) return;
  if (matches.total > dependencies_.index.layout.size / 32) {
    if (scores == Scores::wanted) make_dense(matches);
    return;
  }
  matches.listed = true;
  matches.positions.reserve(static_cast<std::size_t>(matches.total));
  matches.bits.each(0, [&](std::uint32_t position) {
    matches.positions.push_back(position);
    return true;
  });
  if (scores == Scores::none) return;
  for (WeightedClause& clause : matches.clauses) load_lists(clause);
  matches.scores.resize(matches.positions.size());
  for (const WeightedClause& clause : matches.clauses) {
    ClauseScores of_clause(clause);
    for (std::size_t i = 0; i < matches.positions.size(); ++i) {
      matches.scores[i] = add_score(matches.scores[i], of_clause.at(matches.positions[i]));
    }
  }
}

}  // namespace tonearm::catalog
