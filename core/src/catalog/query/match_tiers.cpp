// Matches with match=auto and most (AUTO-1, MOST-1). Few candidates are listed and count their clauses one by one. For
// many, clauses are counted for all tracks at once by kernels, and only tiers that a page reaches become bitmaps.

#include <algorithm>
#include <array>
#include <utility>

#include "catalog/query/match.h"

namespace tonearm::catalog {
namespace {

/// AUTO-1: with this many tracks that contain all words, match=auto is match=all.
constexpr std::uint64_t kEnoughWithAll = 20;

/// AUTO-6: tags and related words rank the tracks of a tier of at most this many.
constexpr std::uint64_t kRankedByRelatedMax = 2'000;

/// Splits listed candidates into tiers. `matched`: the number of clauses that each position matches; `scores`: one for
/// each, or empty.
std::vector<Tier> split_into_tiers(std::span<const std::uint32_t> positions, std::span<const std::uint32_t> matched,
                                   std::span<const std::uint32_t> scores) {
  std::array<Matches, Kernels::kOperandsMax + 1> by_words;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    Matches& matches = by_words.at(matched[i]);
    matches.positions.push_back(positions[i]);
    if (!scores.empty()) matches.scores.push_back(scores[i]);
  }
  std::vector<Tier> tiers;
  for (std::uint32_t words = by_words.size() - 1; words > 0; --words) {
    Matches& matches = by_words.at(words);
    if (matches.positions.empty()) continue;
    matches.listed = true;
    matches.total = matches.positions.size();
    tiers.push_back({words, std::move(matches)});
  }
  return tiers;
}

/// Splits listed matches into those in `kept`, which is a part of them, and the others.
std::array<Matches, 2> split_listed(const Matches& matches, std::span<const std::uint32_t> kept) {
  std::array<Matches, 2> parts;
  ListCursor cursor(kept);
  for (std::size_t i = 0; i < matches.positions.size(); ++i) {
    Matches& part = parts.at(cursor.find(matches.positions[i]) ? 0 : 1);
    part.positions.push_back(matches.positions[i]);
    if (!matches.scores.empty()) part.scores.push_back(matches.scores[i]);
  }
  for (Matches& part : parts) {
    part.listed = true;
    part.total = part.positions.size();
  }
  return parts;
}

}  // namespace

std::uint64_t Tiers::total() const {
  std::uint64_t total = 0;
  for (const Tier& tier : tiers) total += tier.matches.total;
  return total;
}

Tiers Matcher::match_tiers(const SearchQuery& query, const SearchPlan& plan) {
  Tiers tiers;
  if (query.match == WordMatch::automatic) {
    Matches all = match(query, plan);
    if (all.total >= kEnoughWithAll) {
      tiers.tiers.push_back({static_cast<std::uint32_t>(plan.counted_clauses), std::move(all)});
    }
  }
  if (tiers.tiers.empty()) tiers = match_some(query, plan);
  if (query.match == WordMatch::most && !tiers.tiers.empty()) {
    const std::uint32_t most = tiers.tiers.front().matched_clauses;
    std::erase_if(tiers.tiers, [&](const Tier& tier) { return tier.matched_clauses + 1 < most; });
  }
  return tiers;
}

/// Returns a tier for each number of counted clauses that some track matches.
Tiers Matcher::match_some(const SearchQuery& query, const SearchPlan& plan) {
  dependencies_.scratch.clear();
  Tiers tiers;
  std::size_t counted_clauses = 0;
  const bool are_all_counted = query.match == WordMatch::automatic;
  const std::size_t clauses = are_all_counted ? plan.counted_clauses : plan.clauses.size();
  for (std::size_t i = 0; i < clauses; ++i) {
    // A clause that no track matches counts for none.
    auto weighted = weigh(plan.clauses[i]);
    if (!weighted) continue;
    tiers.clauses.push_back(*std::move(weighted));
    tiers.numbers.push_back(i);
    tiers.are_tags.push_back(is_tag(plan.clauses[i]));
    if (i < plan.counted_clauses) ++counted_clauses;
  }
  if (counted_clauses > 0) fill_tiers(tiers, counted_clauses, query, plan);
  if (are_all_counted) add_related(tiers, counted_clauses, query, plan);
  return tiers;
}

void Matcher::fill_tiers(Tiers& tiers, std::size_t counted_clauses, const SearchQuery& query, const SearchPlan& plan) {
  const Conditions conditions = read_conditions(plan);
  if (fill_listed_tiers(tiers, counted_clauses, query, conditions, plan.scores)) return;
  if (tiers.clauses.size() > 1) {
    fill_dense_tiers(tiers, counted_clauses, query, conditions);
    return;
  }
  // A single clause: the same as matching all.
  Tier tier{1, {}};
  tier.matches.clauses = tiers.clauses;
  fill_bits(tier.matches, query, conditions, plan.scores);
  if (tier.matches.total > 0) tiers.tiers.push_back(std::move(tier));
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
  for (std::size_t i = 0; i < counted_clauses; ++i) tiers.counted.push_back(bits_of(tiers.clauses[i]));
  tiers.kept = filtered_range(query, conditions, tiers.counted);
  const std::uint32_t first = tiers.kept.range.first_word();
  std::array<std::uint64_t, Kernels::kOperandsMax + 1> totals{};
  for (const std::uint64_t*& bits : tiers.counted) bits += first;
  dependencies_.kernels.tally(totals.data(), tiers.counted.data(), tiers.counted.size(), tiers.kept.words + first,
                              tiers.kept.range.last_word() - first);
  for (std::size_t words = counted_clauses; words > 0; --words) {
    if (totals.at(words) == 0) continue;
    Tier& tier = tiers.tiers.emplace_back();
    tier.matched_clauses = static_cast<std::uint32_t>(words);
    tier.matches.total = totals.at(words);
    tier.matches.partition = partition_of(tiers.kept.range);
  }
}

void Matcher::select_tier(Tier& tier, const Tiers& all) const {
  Matches& matches = tier.matches;
  if (tier.is_related()) {
    select_related(matches, all);
    return;
  }
  if (matches.listed || matches.bits.words != nullptr) return;
  const PositionRange& range = all.kept.range;
  const std::uint32_t first = range.first_word();
  std::uint64_t* bits = dependencies_.scratch.bitmap(words_for(dependencies_.index.layout.size));
  dependencies_.kernels.select(bits + first, all.counted.data(), all.counted.size(), tier.matched_clauses,
                               all.kept.words + first, range.last_word() - first);
  matches.bits = {bits, range};
}

std::vector<Tier> Matcher::split_unwanted(Tier tier, Tiers& all, const SearchPlan& plan) const {
  std::vector<Tier> split;
  const std::vector<ExcludedTerms> unwanted = read_excluded(plan.unwanted, dependencies_.index.terms);
  if (unwanted.empty()) {
    split.push_back(std::move(tier));
    return split;
  }
  if (all.clauses.empty()) {
    for (const Clause& clause : plan.clauses) {
      if (auto weighted = weigh(clause)) all.clauses.push_back(*std::move(weighted));
    }
  }
  select_tier(tier, all);
  std::array<Matches, 2> parts;
  if (tier.matches.listed) {
    Positions kept = tier.matches.positions;
    remove_excluded(kept, unwanted);
    parts = split_listed(tier.matches, kept);
  } else {
    parts = split_bits(tier.matches, unwanted);
  }
  for (Matches& part : parts) {
    if (part.total > 0) split.push_back({tier.matched_clauses, std::move(part)});
  }
  return split;
}

/// Splits matches into those without excluded terms, and the others.
std::array<Matches, 2> Matcher::split_bits(const Matches& matches, std::span<const ExcludedTerms> excluded) const {
  const PositionRange& range = matches.bits.range;
  const std::uint32_t all_words = words_for(dependencies_.index.layout.size);
  std::array<std::uint64_t*, 2> bits{};
  std::array<Matches, 2> parts;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    bits.at(i) = dependencies_.scratch.bitmap(all_words);
    parts.at(i).bits = {bits.at(i), range};
    parts.at(i).partition = matches.partition;
  }
  const std::uint32_t first = range.first_word();
  std::copy(matches.bits.words + first, matches.bits.words + range.last_word(), bits[0] + first);
  remove_excluded(bits[0], range, excluded);
  for (std::uint32_t i = first; i < range.last_word(); ++i) bits[1][i] = matches.bits.words[i] & ~bits[0][i];
  for (Matches& part : parts) part.total = count(part.bits);
  return parts;
}

/// Converts few matches to a list, which is cheaper to sort than a bitmap.
void Matcher::prepare_for_page(Tier& tier, const Tiers& all, const SearchPlan& plan) const {
  Matches& matches = tier.matches;
  select_tier(tier, all);
  if (tier.is_prepared || tier.is_related()) return;
  tier.is_prepared = true;
  const bool is_scored = plan.scores == Scores::wanted;
  const bool has_tags = std::find(all.are_tags.begin(), all.are_tags.end(), true) != all.are_tags.end();
  const bool ranks_related = is_scored && (has_tags || !all.related.clauses.empty()) &&
                             tier.matched_clauses < plan.counted_clauses && matches.total <= kRankedByRelatedMax;
  if (!ranks_related && !matches.clauses.empty()) return;  // a tier of `match`, which is complete
  matches.clauses = ranks_related ? with_related(all, plan) : all.clauses;
  if (!ranks_related && matches.listed) return;
  if (!ranks_related && matches.total > dependencies_.index.layout.size / 32) {
    if (is_scored) make_dense(matches);
    return;
  }
  if (!matches.listed) list_members(matches);
  if (is_scored) score_listed(matches);
}

void Matcher::list_members(Matches& matches) const {
  matches.listed = true;
  matches.positions.reserve(static_cast<std::size_t>(matches.total));
  matches.bits.each(0, [&](std::uint32_t position) {
    matches.positions.push_back(position);
    return true;
  });
}

void Matcher::score_listed(Matches& matches) const {
  for (WeightedClause& clause : matches.clauses) load_lists(clause);
  matches.scores.assign(matches.positions.size(), 0);
  for (const WeightedClause& clause : matches.clauses) {
    ClauseScores of_clause(clause);
    for (std::size_t i = 0; i < matches.positions.size(); ++i) {
      matches.scores[i] = add_score(matches.scores[i], of_clause.at(matches.positions[i]));
    }
  }
}

}  // namespace tonearm::catalog
