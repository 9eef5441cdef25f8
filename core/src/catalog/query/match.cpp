#include "catalog/query/match.h"

#include <algorithm>
#include <functional>

#include "catalog/index/facets.h"

namespace tonearm::catalog {
namespace {

using Positions = std::vector<std::uint32_t>;

/// A step from member to member is some ten times as fast as a search for one.
constexpr std::uint64_t kStepsPerSearch = 10;

/// Returns the members of a list that are inside the range.
std::span<const std::uint32_t> members_in(const PostingList& list, const PositionRange& range) {
  const auto begin = std::lower_bound(list.positions.begin(), list.positions.end(), range.begin);
  const auto end = std::lower_bound(begin, list.positions.end(), range.end);
  const std::span<const std::uint32_t> members(begin, end);
  if (members.empty()) return members;
  const bool ascends = std::adjacent_find(begin, end, std::greater_equal<>()) == end;
  if (!ascends || members.front() < range.begin || members.back() >= range.end) {
    throw_damaged("a posting list is not sorted");
  }
  return members;
}

/// Keeps the tracks for which `is_kept(position)` is true. Has no branch that would often be mispredicted.
template <class IsKept>
void keep_if(Positions& positions, const IsKept& is_kept) {
  std::size_t kept = 0;
  for (const std::uint32_t position : positions) {
    positions[kept] = position;
    kept += is_kept(position) ? 1U : 0U;
  }
  positions.resize(kept);
}

/// Keeps the tracks whose value in the column is within the bounds.
template <class Value>
void keep_by_value(Positions& positions, const Array<Value>& column, const Bounds& bounds) {
  const auto keep_by = [&](const auto& values) {
    keep_if(positions, [&](std::uint32_t position) { return bounds.contains(values[position]); });
  };
  if (column.is_in_memory()) {
    keep_by(column.all());
  } else {
    keep_by(column);
  }
}

void keep_members(Positions& positions, const std::uint64_t* bitmap) {
  keep_if(positions, [bitmap](std::uint32_t position) { return has_bit(bitmap, position); });
}

/// Keeps the tracks that match the condition.
void retain(Positions& positions, const AnyOf& condition) {
  std::vector<const std::uint64_t*> bitmaps;
  std::vector<MemberReader> lists;
  for (const PostingList& list : condition.lists) {
    if (list.dense) {
      bitmaps.push_back(list.bits.data());
    } else {
      lists.emplace_back(list);
    }
  }
  const auto is_in_bitmap = [&](std::uint32_t position) {
    std::uint64_t bits = 0;
    for (const std::uint64_t* bitmap : bitmaps) bits |= bitmap[position / kWordBits];
    return (bits >> (position % kWordBits) & 1U) != 0;
  };
  if (lists.empty()) return keep_if(positions, is_in_bitmap);
  keep_if(positions, [&](std::uint32_t position) {
    return is_in_bitmap(position) ||
           std::any_of(lists.begin(), lists.end(), [&](MemberReader& list) { return list.contains(position); });
  });
}

/// Keeps the tracks that match the clause.
void retain(Positions& positions, const WeightedClause& clause) {
  ClauseMembers members(clause);
  std::erase_if(positions, [&](std::uint32_t position) { return !members.contains(position); });
}

/// Keeps the tracks that match a term or a clause and adds their scores.
template <class Scores>
void retain_and_score(Positions& positions, std::vector<std::uint32_t>& scores, Scores more) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const std::uint64_t score = more.at(positions[i]);
    if (score == 0) continue;
    positions[kept] = positions[i];
    scores[kept++] = add_score(scores[i], score);
  }
  positions.resize(kept);
  scores.resize(kept);
}

/// Adds the scores by a term. REQUIRES: its posting list is not a bitmap, is loaded, and contains all positions, at
/// least one.
void score_members(std::span<const std::uint32_t> positions, std::span<std::uint32_t> scores,
                   const WeightedTerm& term) {
  const std::span<const std::uint32_t> members = term.posting_list.positions;
  const std::span<const std::uint8_t> impacts = term.posting_list.impacts.all();
  if (impacts.size() < members.size()) throw_damaged("a posting list has too few impacts");
  // Walks all members, because a branch for each of them would often be mispredicted.
  const auto first = std::lower_bound(members.begin(), members.end(), positions.front());
  std::size_t next = 0;
  for (auto i = static_cast<std::size_t>(first - members.begin()); i < members.size() && next < positions.size(); ++i) {
    const std::uint64_t score = std::uint64_t{term.weight} * impacts[i] + term.boost;
    const bool is_next = members[i] == positions[next];
    scores[next] = add_score(scores[next], is_next ? score : 0);
    next += is_next ? 1U : 0U;
  }
}

void retain_and_score(Positions& positions, std::vector<std::uint32_t>& scores, const WeightedClause& clause) {
  if (is_single_term(clause)) {
    retain_and_score(positions, scores, TermScores(clause.front().front()));
  } else {
    retain_and_score(positions, scores, ClauseScores(clause));
  }
}

/// The clause or condition with the fewest possible matches.
struct Driver {
  std::uint64_t max_matches = ~std::uint64_t{0};
  const WeightedClause* clause = nullptr;
  const AnyOf* condition = nullptr;

  std::vector<const PostingList*> lists() const {
    std::vector<const PostingList*> lists;
    if (condition != nullptr) {
      for (const PostingList& list : condition->lists) lists.push_back(&list);
    } else {
      for (const WeightedTermSet& terms : *clause) lists.push_back(&rarest(terms));
    }
    return lists;
  }
};

Driver choose_driver(std::span<const WeightedClause> clauses, std::span<const AnyOf> conditions) {
  Driver driver;
  for (const AnyOf& condition : conditions) {
    if (condition.max_count() < driver.max_matches) driver = {condition.max_count(), nullptr, &condition};
  }
  for (const WeightedClause& clause : clauses) {
    if (max_matches(clause) < driver.max_matches) driver = {max_matches(clause), &clause, nullptr};
  }
  return driver;
}

/// `score_of(term)` returns weight * impact, or 0 if the term is missing and its term set does not match.
template <class ScoreOf>
std::uint32_t sum_scores(std::span<const WeightedClause> clauses, const ScoreOf& score_of) {
  std::uint32_t score = 0;
  for (const WeightedClause& clause : clauses) {
    std::uint32_t best = 0;
    for (const WeightedTermSet& terms : clause) {
      std::uint32_t sum = 0;
      for (const WeightedTerm& term : terms) {
        const std::uint64_t of_term = score_of(term);
        if (of_term == 0) {
          sum = 0;
          break;
        }
        sum = add_score(sum, of_term);
      }
      best = std::max(best, sum);
    }
    score = add_score(score, best);
  }
  return score;
}

/// Whether a score is the sum over one term of each clause, and fits.
bool are_plain_sums(std::span<const WeightedClause> clauses) {
  std::uint64_t max_sum = 0;
  for (const WeightedClause& clause : clauses) {
    if (!is_single_term(clause)) return false;
    max_sum += clause.front().front().max_score();
  }
  return max_sum <= ~std::uint32_t{0};
}

std::uint32_t score_bound(std::span<const WeightedClause> clauses, std::uint32_t word) {
  return sum_scores(
      clauses, [word](const WeightedTerm& it) { return std::uint64_t{it.weight} * it.posting_list.block_max[word]; });
}

}  // namespace

std::uint64_t* Scratch::bitmap(std::size_t words) {
  if (used_ == bitmaps_.size()) bitmaps_.emplace_back();
  auto& bitmap = bitmaps_[used_++];
  if (bitmap.size() < words) bitmap.resize(words);
  return bitmap.data();
}

/// Adds the narrower phrases of a clause (SEARCH-15). `heaviest`: the weight of the heaviest term of the query.
void Matcher::add_narrower(WeightedClause& weighted, const Clause& clause, std::uint32_t heaviest) const {
  for (const std::uint64_t phrase : clause.phrases) {
    for (const ThesaurusTarget& target : dependencies_.index.thesaurus.find(phrase)) {
      if (target.relation != Relation::narrower) continue;
      const auto terms = static_cast<std::uint32_t>(target.terms.size());
      weighted.push_back(weigh_target(target, [&](std::uint32_t weight) {
        return related_weight(std::min(weight, heaviest), target.weight, terms);
      }));
    }
  }
}

/// Returns nothing if no track can match the clause: each of its term sets has a term that no track contains.
std::optional<WeightedClause> Matcher::weigh(const Clause& clause) const {
  const std::uint32_t tracks = dependencies_.index.layout.speech_end;
  WeightedClause weighted;
  std::vector<std::size_t> synonyms;
  std::uint32_t heaviest = 0;  // of the query's own terms
  for (const TermSet& stems : clause.term_sets) {
    WeightedTermSet terms;
    for (const std::string& stem : stems) {
      const auto list = dependencies_.index.terms.posting_list(text_key(stem));
      if (!list) break;
      if (list->count > tracks) throw_damaged("a term has too many tracks");
      terms.push_back({*list, term_weight(list->count, tracks)});
    }
    if (terms.size() < stems.size()) continue;
    if (std::find(clause.query_term_sets.begin(), clause.query_term_sets.end(), stems) ==
        clause.query_term_sets.end()) {
      synonyms.push_back(weighted.size());
    } else {
      for (const WeightedTerm& term : terms) heaviest = std::max(heaviest, term.weight);
    }
    weighted.push_back(std::move(terms));
  }
  // If no track contains the query's own terms, synonyms have their own weights.
  if (heaviest == 0) heaviest = ~std::uint32_t{0};
  for (const std::size_t synonym : synonyms) {
    const auto count = static_cast<std::uint32_t>(weighted[synonym].size());
    for (WeightedTerm& term : weighted[synonym]) term.weight = synonym_weight(term.weight, heaviest, count);
  }
  add_narrower(weighted, clause, heaviest);
  if (weighted.empty()) return std::nullopt;
  return weighted;
}

Conditions Matcher::read_conditions(const SearchPlan& plan) const {
  const TermIndex& terms = dependencies_.index.terms;
  return {read_filters(plan.filters, terms), read_excluded(plan.excluded, terms)};
}

Matches Matcher::match(const SearchQuery& query, const SearchPlan& plan) {
  dependencies_.scratch.clear();
  Matches matches;
  matches.listed = true;
  for (const Clause& clause : plan.clauses) {
    auto weighted = weigh(clause);
    if (!weighted) return matches;
    matches.clauses.push_back(*std::move(weighted));
  }
  const Conditions conditions = read_conditions(plan);
  if (!fill_list(matches, query, conditions, plan.scores)) fill_bits(matches, query, conditions, plan.scores);
  return matches;
}

void Matcher::retain_in_ranges(Positions& positions, const Filters& filters) const {
  if (filters.bpm_hundredths.empty() && filters.duration_ms.empty()) return;
  Filters ranges;
  ranges.bpm_hundredths = filters.bpm_hundredths;
  ranges.duration_ms = filters.duration_ms;
  dependencies_.fetcher.columns(ranges, positions);
  const Columns& columns = dependencies_.index.columns;
  if (!ranges.bpm_hundredths.empty()) {
    keep_by_value(positions, columns.bpm_hundredths, tempo_bounds(ranges.bpm_hundredths));
  }
  if (!ranges.duration_ms.empty()) keep_by_value(positions, columns.duration_ms, bounds_of(ranges.duration_ms));
}

/// Returns the members of the lists inside the range, ascending, without duplicates. REQUIRES: no list is a bitmap.
Positions Matcher::merge_lists(std::span<const PostingList* const> lists, const PositionRange& range) const {
  Positions all;
  std::size_t most = 0;
  for (const PostingList* list : lists) most += list->positions.size();
  if (lists.size() < 3 || most < range.size() / kWordBits) {
    for (const PostingList* list : lists) {
      const auto members = members_in(*list, range);
      const auto before = static_cast<std::ptrdiff_t>(all.size());
      all.insert(all.end(), members.begin(), members.end());
      if (before == 0) continue;
      std::inplace_merge(all.begin(), all.begin() + before, all.end());
      all.erase(std::unique(all.begin(), all.end()), all.end());
    }
    return all;
  }
  // A bitmap sorts them in one pass.
  std::uint64_t* bits = empty_bitmap();
  for (const PostingList* list : lists) {
    for (const std::uint32_t position : members_in(*list, range)) set_bit(bits, position);
  }
  all.reserve(most);
  BitRange{bits, range}.each(0, [&](std::uint32_t position) {
    all.push_back(position);
    return true;
  });
  return all;
}

/// Returns the members of any of the lists that match the conditions. `listed`: the condition that the lists are from,
/// or null.
std::vector<std::uint32_t> Matcher::candidates(std::span<const PostingList* const> lists, const SearchQuery& query,
                                               const Conditions& conditions, const AnyOf* listed) const {
  Positions positions = merge_lists(lists, positions_of_kind(query, dependencies_.index.layout));
  for (const AnyOf& condition : conditions.any_of) {
    if (&condition == listed) continue;
    if (condition.lists.size() > 1 && positions.size() > words_for(dependencies_.index.layout.size)) {
      keep_members(positions, bits_of(condition));
    } else {
      retain(positions, condition);
    }
  }
  remove_excluded(positions, conditions.excluded);
  dependencies_.index.taken_down.remove_from(positions);
  retain_in_ranges(positions, query.filters);
  return positions;
}

/// Returns false without changes if there are too many matches to list.
bool Matcher::fill_list(Matches& matches, const SearchQuery& query, const Conditions& conditions, Scores scores) const {
  const Driver driver = choose_driver(matches.clauses, conditions.any_of);
  // A bitmap has more members than this, so none of the driver's posting lists is a bitmap.
  if (driver.max_matches > dependencies_.index.layout.size / 32) return false;
  matches.positions = candidates(driver.lists(), query, conditions, driver.condition);
  if (scores == Scores::none) {
    for (const WeightedClause& clause : matches.clauses) retain(matches.positions, clause);
  } else if (!matches.clauses.empty()) {
    // Bitmaps decide faster whether a track matches than how it scores.
    for (const WeightedClause& clause : matches.clauses) {
      if (!is_single_term(clause)) continue;
      const PostingList& list = clause.front().front().posting_list;
      if (list.dense) keep_members(matches.positions, list.bits.data());
    }
    matches.scores.resize(matches.positions.size());
    for (WeightedClause& clause : matches.clauses) {
      load_lists(clause);
      // A walk through the driver's list pays unless few of its members are left.
      const bool walks = &clause == driver.clause && is_single_term(clause) &&
                         matches.positions.size() > driver.max_matches / kStepsPerSearch;
      if (walks) {
        score_members(matches.positions, matches.scores, clause.front().front());
      } else {
        retain_and_score(matches.positions, matches.scores, clause);
      }
    }
  }
  matches.total = matches.positions.size();
  return true;
}

std::uint64_t* Matcher::empty_bitmap() const {
  const std::uint32_t words = words_for(dependencies_.index.layout.size);
  std::uint64_t* bits = dependencies_.scratch.bitmap(words);
  std::fill_n(bits, words, 0);
  return bits;
}

void Matcher::unite(std::uint64_t* bits, const PostingList& list) const {
  if (list.dense) dependencies_.kernels.unite(bits, list.bits.data(), list.bits.size());
  for (const std::uint32_t position : list.positions) {
    if (position >= dependencies_.index.layout.size) throw_damaged("a posting list refers to a missing track");
    set_bit(bits, position);
  }
}

void Matcher::unite(std::uint64_t* bits, const WeightedClause& clause) const {
  const std::size_t words = words_for(dependencies_.index.layout.speech_end);
  for (const WeightedTermSet& terms : clause) {
    if (terms.size() == 1) {
      unite(bits, terms.front().posting_list);
      continue;
    }
    std::vector<const std::uint64_t*> operands;
    for (const WeightedTerm& term : terms) operands.push_back(bits_of(term.posting_list));
    std::uint64_t* both = dependencies_.scratch.bitmap(words);
    dependencies_.kernels.intersect(both, operands.data(), operands.size(), words);
    dependencies_.kernels.unite(bits, both, words);
  }
}

const std::uint64_t* Matcher::bits_of(const PostingList& list) const {
  if (list.dense) return list.bits.data();
  std::uint64_t* bits = empty_bitmap();
  unite(bits, list);
  return bits;
}

const std::uint64_t* Matcher::bits_of(const AnyOf& condition) const {
  if (condition.lists.size() == 1) return bits_of(condition.lists.front());
  std::uint64_t* bits = empty_bitmap();
  for (const PostingList& list : condition.lists) unite(bits, list);
  return bits;
}

const std::uint64_t* Matcher::bits_of(const WeightedClause& clause) const {
  if (is_single_term(clause)) return bits_of(clause.front().front().posting_list);
  std::uint64_t* bits = empty_bitmap();
  unite(bits, clause);
  return bits;
}

/// Writes the smaller set of tracks: those inside the range of tempo, or those outside.
const std::uint64_t* Matcher::bits_of_tempo(const SearchQuery& query, const PositionRange& range) {
  const TempoOrder& tempos = dependencies_.index.tempos;
  dependencies_.fetcher.tempos(query.kind, query.filters.bpm_hundredths);
  const TempoOrder::Slice slice = tempos.slice(query.kind, query.filters.bpm_hundredths);
  const auto& [all, inside] = slice;
  std::uint64_t* bits = empty_bitmap();
  if (!slice.is_mostly_inside()) {
    tempos.each(inside, [&](std::uint32_t position) { set_bit(bits, position); });
    return bits;
  }
  for (std::uint32_t i = range.first_word(); i < range.last_word(); ++i) bits[i] = range.mask(i);
  const auto clear = [&](std::uint32_t position) {
    bits[position / kWordBits] &= ~(std::uint64_t{1} << (position % kWordBits));
  };
  tempos.each({all.begin, inside.begin}, clear);
  tempos.each({inside.end, all.end}, clear);
  return bits;
}

/// Returns the partition that equals a range; nothing if the range spans more than one.
std::optional<std::size_t> Matcher::partition_of(const PositionRange& range) const {
  const Layout& layout = dependencies_.index.layout;
  if (range.begin == 0 && range.end == layout.music_end) return 0;
  if (range.begin == layout.music_end && range.end == layout.effects_end) return 1;
  return std::nullopt;
}

void Matcher::make_dense(Matches& matches) const {
  for (WeightedClause& clause : matches.clauses) {
    for (WeightedTermSet& terms : clause) {
      for (WeightedTerm& term : terms) {
        if (term.posting_list.dense) continue;
        matches.copies.push_back(std::make_unique<const DenseCopy>(term.posting_list, dependencies_.index.layout.size));
        term.posting_list = matches.copies.back()->posting_list();
      }
    }
  }
}

/// Returns the bitmaps of all filters, including the range of tempo and many take-downs.
std::vector<const std::uint64_t*> Matcher::filter_operands(const SearchQuery& query, const Conditions& conditions) {
  std::vector<const std::uint64_t*> operands;
  for (const AnyOf& condition : conditions.any_of) operands.push_back(bits_of(condition));
  if (!query.filters.bpm_hundredths.empty()) {
    operands.push_back(bits_of_tempo(query, positions_of_kind(query, dependencies_.index.layout)));
  }
  if (const std::uint64_t* offered = dependencies_.index.taken_down.offered_bits()) operands.push_back(offered);
  return operands;
}

/// Writes the intersection of all operands without excluded tracks and few take-downs to the bitmap words of the range.
/// Without operands, all tracks match.
void Matcher::intersect(std::uint64_t* bits, const PositionRange& range, std::vector<const std::uint64_t*> operands,
                        const Conditions& conditions) const {
  const std::uint32_t first = range.first_word();
  const std::uint32_t words = range.last_word() - first;
  if (operands.empty()) {
    std::fill_n(bits + first, words, ~std::uint64_t{0});
  } else {
    for (const std::uint64_t*& operand : operands) operand += first;
    dependencies_.kernels.intersect(bits + first, operands.data(), operands.size(), words);
  }
  remove_excluded(bits, range, conditions.excluded);
  dependencies_.index.taken_down.clear_few(bits, range);
}

void Matcher::fill_bits(Matches& matches, const SearchQuery& query, const Conditions& conditions, Scores scores) {
  const Layout& layout = dependencies_.index.layout;
  const PositionRange range = positions_of_kind(query, layout);
  matches.listed = false;
  matches.partition = partition_of(range);
  if (matches.partition && matches.clauses.size() == 1 && is_single_term(matches.clauses.front())) {
    matches.best = matches.clauses.front().front().front().posting_list.best.at(*matches.partition);
  }
  if (scores == Scores::wanted) make_dense(matches);
  std::vector<const std::uint64_t*> operands = filter_operands(query, conditions);
  for (const WeightedClause& clause : matches.clauses) operands.push_back(bits_of(clause));

  const bool is_single = operands.size() == 1 && conditions.excluded.empty();
  if (is_single && !dependencies_.index.taken_down.are_any_in(operands.front(), range)) {
    matches.bits = {operands.front(), range};
  } else {
    std::uint64_t* bits = dependencies_.scratch.bitmap(words_for(layout.size));
    intersect(bits, range, std::move(operands), conditions);
    matches.bits = {bits, range};
  }
  if (!query.filters.duration_ms.empty()) retain_durations(matches.bits, query.filters.duration_ms);
  matches.total = count(matches.bits);
}

void Matcher::retain_durations(BitRange& bits, const Range& duration_ms) {
  const Array<std::uint64_t>& durations = dependencies_.index.columns.duration_ms;
  std::uint64_t* kept = empty_bitmap();
  dependencies_.fetcher.array(durations);
  bits.each(0, [&](std::uint32_t position) {
    if (duration_ms.contains(durations[position])) set_bit(kept, position);
    return true;
  });
  bits.words = kept;
}

/// Only the bitmap words at the ends of the range need a mask.
std::uint64_t Matcher::count(const BitRange& bits) const {
  const std::uint32_t first = bits.range.first_word();
  const std::uint32_t last = bits.range.last_word();
  if (first == last) return 0;
  const auto surplus = [&](std::uint32_t word) {
    return static_cast<std::uint64_t>(std::popcount(bits.words[word] & ~bits.range.mask(word)));
  };
  const std::uint64_t count = dependencies_.kernels.count(bits.words + first, last - first) - surplus(first);
  return last - first > 1 ? count - surplus(last - 1) : count;
}

std::uint32_t score_at(std::span<const WeightedClause> clauses, std::uint32_t position) {
  return sum_scores(clauses, [position](const WeightedTerm& term) {
    return std::uint64_t{term.weight} * impact_in(term.posting_list, position);
  });
}

void score_matches(std::span<const WeightedClause> clauses, const Kernels& kernels, std::uint32_t first,
                   std::span<const std::uint64_t> matches, std::vector<std::uint32_t>& scores) {
  scores.clear();
  if (!are_plain_sums(clauses)) {
    for (std::size_t word = 0; word < matches.size(); ++word) {
      for (std::uint64_t left = matches[word]; left != 0; left &= left - 1) {
        const auto bit = static_cast<std::uint32_t>(std::countr_zero(left));
        scores.push_back(score_at(clauses, (first + static_cast<std::uint32_t>(word)) * kWordBits + bit));
      }
    }
    return;
  }
  scores.resize(static_cast<std::size_t>(kernels.count(matches.data(), matches.size())), 0);
  for (const WeightedClause& clause : clauses) {
    const WeightedTerm& term = clause.front().front();
    const PostingList& list = term.posting_list;
    const std::span<const std::uint32_t> ranks = list.ranks.all().subspan(first, matches.size());
    const std::span<const std::uint8_t> impacts = list.impacts.all();
    const TermImpacts of_term{list.bits.data() + first, ranks.data(), impacts.data(), impacts.size()};
    if (!kernels.add_impacts(scores.data(), matches.data(), of_term, term.weight, matches.size())) {
      throw_damaged("a posting list has too few impacts");
    }
  }
}

void compute_score_bounds(std::span<const WeightedClause> clauses, const Kernels& kernels, std::uint32_t first,
                          std::span<std::uint32_t> highest) {
  if (!are_plain_sums(clauses)) {
    for (std::size_t i = 0; i < highest.size(); ++i) {
      highest[i] = score_bound(clauses, first + static_cast<std::uint32_t>(i));
    }
    return;
  }
  // Plain sums over many bitmap words at once.
  std::fill(highest.begin(), highest.end(), 0);
  for (const WeightedClause& clause : clauses) {
    const WeightedTerm& term = clause.front().front();
    const std::span<const std::uint8_t> block_max = term.posting_list.block_max.all().subspan(first, highest.size());
    kernels.add_weighted(highest.data(), block_max.data(), term.weight, highest.size());
  }
}

}  // namespace tonearm::catalog
