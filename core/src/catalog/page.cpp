#include "catalog/page.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

namespace tonearm::catalog {
namespace {

using Positions = std::vector<std::uint32_t>;

/// So many tracks more than the page has are read sooner than their ranks.
constexpr std::size_t kMoreTracks = 6;
/// What a walk through the order of ids may take beside the ranks, which may lie in any of their blocks.
constexpr std::size_t kWalkPart = 3;

template <class Key>
Positions sorted_by(const Positions& positions, const Key& key_of) {
  std::vector<std::pair<decltype(key_of(0U)), std::uint32_t>> keyed;
  keyed.reserve(positions.size());
  for (const std::uint32_t position : positions) keyed.emplace_back(key_of(position), position);
  std::sort(keyed.begin(), keyed.end());
  Positions sorted;
  sorted.reserve(keyed.size());
  for (const auto& [key, position] : keyed) sorted.push_back(position);
  return sorted;
}

Positions slice_of(const Positions& positions, std::size_t begin, std::size_t end) {
  return {positions.begin() + static_cast<std::ptrdiff_t>(begin), positions.begin() + static_cast<std::ptrdiff_t>(end)};
}

/// Those that the page lies among: all of the scores from that of its first track down to that of its last.
struct Among {
  std::vector<Scored> scored;
  std::uint64_t before = 0;  // how many have a higher score
};

Among among_page(const std::vector<Scored>& scored, const PageRange& page, std::uint64_t end) {
  std::vector<std::uint64_t> scores;
  scores.reserve(scored.size());
  for (const Scored& it : scored) scores.push_back(it.score);
  const auto first = scores.begin() + static_cast<std::ptrdiff_t>(page.offset);
  const auto last = scores.begin() + static_cast<std::ptrdiff_t>(end) - 1;
  std::nth_element(scores.begin(), first, scores.end(), std::greater<>());
  const std::uint64_t highest = *first;
  std::nth_element(first, last, scores.end(), std::greater<>());
  const std::uint64_t lowest = *last;
  Among among;
  for (const Scored& it : scored) {
    if (it.score > highest) ++among.before;
    if (it.score <= highest && it.score >= lowest) among.scored.push_back(it);
  }
  return among;
}

/// With ranks at hand they are sorted together.
Positions page_by_rank(const std::vector<Scored>& scored, const PageRange& page, const IdOrder& ids) {
  struct Ranked {
    std::uint64_t score = 0;
    std::uint32_t rank = 0;
    std::uint32_t position = 0;
  };
  std::vector<Ranked> ranked;
  ranked.reserve(scored.size());
  for (const auto& [score, position] : scored) ranked.push_back({score, ids.rank(position), position});
  const auto first = ranked.begin() + static_cast<std::ptrdiff_t>(page.offset);
  const auto last = ranked.begin() + static_cast<std::ptrdiff_t>(page.offset + page.limit);
  const auto comes_first = [](const Ranked& a, const Ranked& b) {
    return a.score != b.score ? a.score > b.score : a.rank < b.rank;
  };
  std::nth_element(ranked.begin(), first, ranked.end(), comes_first);
  std::partial_sort(first, last, ranked.end(), comes_first);
  Positions positions;
  for (auto it = first; it != last; ++it) positions.push_back(it->position);
  return positions;
}

/// Ties one after the other. What the page cuts out of a large one is found first; then the tracks of all are read
/// together, and tell the rest.
Positions page_by_ties(std::vector<Scored> scored, const PageRange& page, const IdOrder& ids) {
  std::sort(scored.begin(), scored.end(), [](const Scored& a, const Scored& b) {
    return a.score != b.score ? a.score > b.score : a.position < b.position;
  });
  struct Tie {
    Positions positions;
    std::size_t from = 0;  // of those, in the order of ids, the page has
    std::size_t to = 0;
    bool is_in_order = false;
  };
  std::vector<Tie> ties;
  Positions read;
  for (std::size_t begin = 0; begin < scored.size();) {
    Tie tie;
    std::size_t end = begin;
    while (end < scored.size() && scored[end].score == scored[begin].score) {
      tie.positions.push_back(scored[end++].position);
    }
    const auto number_of = [&](std::uint64_t place) {
      return static_cast<std::size_t>(std::clamp<std::uint64_t>(place, begin, end)) - begin;
    };
    tie.from = number_of(page.offset);
    tie.to = number_of(page.offset + page.limit);
    begin = end;
    if (tie.from == tie.to) continue;
    if (!IdOrder::reads_tracks(tie.positions.size(), tie.to - tie.from)) {
      tie = {ids.part(tie.positions, tie.from, tie.to), 0, tie.to - tie.from, true};
    }
    read.insert(read.end(), tie.positions.begin(), tie.positions.end());
    ties.push_back(std::move(tie));
  }
  ids.expect_tracks(read);
  Positions positions;
  for (const auto& [tied, from, to, is_in_order] : ties) {
    const Positions ordered = is_in_order ? tied : ids.part(tied, from, to);
    positions.insert(positions.end(), ordered.begin(), ordered.end());
  }
  return positions;
}

}  // namespace

bool IdOrder::reads_tracks(std::size_t count, std::size_t wanted) { return count - wanted <= kMoreTracks; }

std::optional<std::uint32_t> IdOrder::rank_beside(std::uint32_t position) const {
  for (const Posting* list : lists_) {
    const auto found = std::lower_bound(list->positions.begin(), list->positions.end(), position);
    if (found == list->positions.end() || *found != position) continue;
    return list->id_ranks[static_cast<std::size_t>(found - list->positions.begin())];
  }
  return std::nullopt;
}

/// A page's tracks are read in any case.
Positions IdOrder::by_tracks(const Positions& positions) const {
  return sorted_by(positions, [&](std::uint32_t position) { return tracks_.id_at(position); });
}

/// The first `end` of them as the order of all ids meets them.
Positions IdOrder::by_walk(const Positions& positions, std::size_t end) const {
  Positions met;
  const std::size_t step = ids_.positions.size() / positions.size() * end + ids_.positions.size() / positions.size();
  for (std::size_t place = 0; met.size() < end; ++place) {
    if (place == ids_.positions.size()) damaged("the order of ids is no permutation");
    if (place % step == 0) ids_.positions.part(place, std::min(step, ids_.positions.size() - place)).expect();
    const std::uint32_t position = ids_.positions[place];
    if (std::binary_search(positions.begin(), positions.end(), position)) met.push_back(position);
  }
  return met;
}

Positions IdOrder::part(const Positions& positions, std::size_t begin, std::size_t end) const {
  if (positions.size() < 2) return slice_of(positions, begin, end);
  const bool is_beside = std::all_of(positions.begin(), positions.end(),
                                     [&](std::uint32_t position) { return rank_beside(position).has_value(); });
  if (is_beside) {
    return slice_of(sorted_by(positions, [&](std::uint32_t position) { return *rank_beside(position); }), begin, end);
  }
  if (reads_tracks(positions.size(), end - begin)) return slice_of(by_tracks(positions), begin, end);
  if (end * kWalkPart <= positions.size()) return slice_of(by_walk(positions, end), begin, end);
  ids_.ranks.expect(positions);
  return slice_of(sorted_by(positions, [&](std::uint32_t position) { return rank(position); }), begin, end);
}

Positions page_of_scored(const std::vector<Scored>& scored, const PageRange& page, const IdOrder& ids) {
  const std::uint64_t end = std::min<std::uint64_t>(scored.size(), page.offset + page.limit);
  if (end <= page.offset) return {};
  Among among = among_page(scored, page, end);
  const PageRange part{page.offset - among.before, end - page.offset};
  return ids.is_near() ? page_by_rank(among.scored, part, ids) : page_by_ties(std::move(among.scored), part, ids);
}

}  // namespace tonearm::catalog
