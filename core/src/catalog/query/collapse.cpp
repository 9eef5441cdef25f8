#include "catalog/query/collapse.h"

#include <algorithm>

#include "catalog/query/shuffle.h"
#include "catalog/query/sorting.h"

namespace tonearm::catalog {
namespace {

/// No track has this key.
constexpr std::uint64_t kUnknown = ~std::uint64_t{0};
/// The values of more tracks are in nearly all blocks of a column.
constexpr std::size_t kSingleReadsMax = 2048;

/// Calls `visit(position)` in ascending order.
template <class Visit>
void each_match(const Matches& matches, const Visit& visit) {
  if (matches.listed) {
    for (const std::uint32_t position : matches.positions) visit(position);
    return;
  }
  matches.bits.each(0, [&](std::uint32_t position) {
    visit(position);
    return true;
  });
}

}  // namespace

// A family has at least two tracks.
Collapse::Collapse(const Dependencies& dependencies)
    : dependencies_(dependencies), matches_of_(dependencies.index.layout.size / 2 + 1) {}

std::uint32_t Collapse::family_of(std::uint32_t position) const {
  const std::uint32_t family = dependencies_.index.columns.families[position];
  if (family >= matches_of_.size()) throw_damaged("there are too many families");
  return family;
}

template <class Value>
void Collapse::fetch(const Array<Value>& column, std::span<const std::uint32_t> positions) const {
  if (positions.size() > kSingleReadsMax) {
    dependencies_.fetcher.array(column.subarray(positions.front(), positions.back() - positions.front() + 1));
  } else {
    dependencies_.fetcher.elements(column, positions);
  }
}

std::uint64_t Collapse::count(const Matches& matches) {
  const Array<std::uint32_t>& families = dependencies_.index.columns.families;
  if (matches.listed) {
    fetch(families, matches.positions);
  } else {
    dependencies_.fetcher.array(families.subarray(matches.bits.range.begin, matches.bits.range.size()));
  }
  std::uint64_t all = 0;
  std::uint64_t shown = 0;
  each_match(matches, [&](std::uint32_t position) {
    const std::uint32_t family = family_of(position);
    ++all;
    shown += static_cast<std::uint64_t>(family == 0 || matches_of_[family] == 0);
    ++matches_of_[family];
  });
  hides_any_ = hides_any_ || shown < all;
  return shown;
}

Collapse::Candidates Collapse::candidates(const Matches& matches) const {
  Candidates found;
  found.positions.reserve(static_cast<std::size_t>(matches.total));
  std::size_t index = 0;
  each_match(matches, [&](std::uint32_t position) {
    const std::uint32_t family = family_of(position);
    if (family != 0 && matches_of_[family] > 1) {
      found.positions.push_back(position);
      if (matches.listed) found.indexes.push_back(index);
    }
    ++index;
  });
  return found;
}

/// Orders by descending score, equal ones by the order of ties (SORT-6).
std::vector<std::uint64_t> Collapse::keys_by_score(const Candidates& candidates, Matches& matches,
                                                   const Order& order) const {
  const Index& index = dependencies_.index;
  const std::vector<Boost> boosts = read_boosts(order.plan.boosts, order.plan.boost_texts(), index);
  BoostReader boost(boosts);
  if (!matches.listed) {
    for (WeightedClause& clause : matches.clauses) load_lists(clause);
  }
  const Array<std::uint32_t>& tie_ranks = index.columns.ties.ranks;
  fetch(tie_ranks, candidates.positions);
  std::vector<std::uint64_t> keys;
  keys.reserve(candidates.positions.size());
  for (std::size_t i = 0; i < candidates.positions.size(); ++i) {
    const std::uint32_t position = candidates.positions[i];
    const std::uint32_t of_terms =
        matches.listed ? matches.scores[candidates.indexes[i]] : score_at(matches.clauses, position);
    const std::uint32_t score = add_score(of_terms, boost.at(position));
    keys.push_back(std::uint64_t{~score} << 32U | tie_ranks[position]);
  }
  return keys;
}

/// The first match in the order has the smallest key.
std::vector<std::uint64_t> Collapse::keys_of(const Candidates& candidates, Matches& matches, const Order& order) const {
  const Index& index = dependencies_.index;
  if (order.by_score) return keys_by_score(candidates, matches, order);
  const std::vector<std::uint32_t>& positions = candidates.positions;
  std::vector<std::uint64_t> keys;
  keys.reserve(positions.size());
  if (order.sort != Sort::shuffle) {
    const Array<std::uint32_t>& ranks = stored_order(order.sort, index).ranks;
    fetch(ranks, positions);
    for (const std::uint32_t position : positions) keys.push_back(ranks[position]);
    return keys;
  }
  if (order.query.seed.empty()) return {positions.begin(), positions.end()};
  const SeededShuffle shuffle(order.query.seed, index.layout.size);
  for (const std::uint32_t position : positions) keys.push_back(shuffle.rank_of(position));
  return keys;
}

void Collapse::collapse(Matches& matches, const Order& order) {
  if (!hides_any_) return;
  const Candidates all = candidates(matches);
  if (all.positions.empty()) return;
  std::vector<std::uint64_t> keys = keys_of(all, matches, order);
  std::vector<std::uint32_t> families;
  families.reserve(keys.size());
  for (const std::uint32_t position : all.positions) families.push_back(family_of(position));
  if (first_key_.empty()) {
    first_key_.assign(matches_of_.size(), kUnknown);
  } else {
    // Hides the whole family if a preceding tier shows one of its tracks.
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (first_key_[families[i]] != kUnknown) keys[i] = kUnknown;
    }
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    first_key_[families[i]] = std::min(first_key_[families[i]], keys[i]);
  }
  std::vector<bool> is_kept(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) is_kept[i] = first_key_[families[i]] == keys[i];
  matches.listed ? keep_listed(matches, all, is_kept) : keep_bits(matches, all, is_kept);
}

/// Removes the candidates that are not kept.
void Collapse::keep_listed(Matches& matches, const Candidates& candidates, const std::vector<bool>& is_kept) {
  std::size_t kept = 0;
  std::size_t next = 0;
  for (std::size_t i = 0; i < matches.positions.size(); ++i) {
    const bool is_candidate = next < candidates.indexes.size() && candidates.indexes[next] == i;
    if (is_candidate && !is_kept[next++]) continue;
    matches.positions[kept] = matches.positions[i];
    if (!matches.scores.empty()) matches.scores[kept] = matches.scores[i];
    ++kept;
  }
  matches.positions.resize(kept);
  if (!matches.scores.empty()) matches.scores.resize(kept);
  matches.total = kept;
}

void Collapse::keep_bits(Matches& matches, const Candidates& candidates, const std::vector<bool>& is_kept) const {
  const PositionRange& range = matches.bits.range;
  std::uint64_t* bits = dependencies_.scratch.bitmap(words_for(dependencies_.index.layout.size));
  std::copy(matches.bits.words + range.first_word(), matches.bits.words + range.last_word(), bits + range.first_word());
  for (std::size_t i = 0; i < is_kept.size(); ++i) {
    if (is_kept[i]) continue;
    const std::uint32_t position = candidates.positions[i];
    bits[position / kWordBits] &= ~(std::uint64_t{1} << (position % kWordBits));
    --matches.total;
  }
  matches.bits.words = bits;
}

std::vector<std::uint32_t> Collapse::count_variants(std::span<const std::uint32_t> positions) const {
  std::vector<std::uint32_t> counts;
  counts.reserve(positions.size());
  for (const std::uint32_t position : positions) {
    const std::uint32_t family = family_of(position);
    counts.push_back(family == 0 ? 1 : matches_of_[family]);
  }
  return counts;
}

}  // namespace tonearm::catalog
