#include "catalog/page.h"

#include <algorithm>
#include <utility>

namespace tonearm::catalog {
namespace {

using Positions = std::vector<std::uint32_t>;

/// So many tracks more than the page has are read sooner than their ranks.
constexpr std::size_t kMoreTracks = 6;
/// What a walk through the order of ids may take of it: ranks may lie in any of as many blocks.
constexpr std::size_t kWalkPart = 3;
/// Of more tracks the ranks lie in nearly all blocks.
constexpr std::size_t kRanksReadSingly = 2048;
/// A block of positions.
constexpr std::size_t kWalkStep = kBlockBytes / sizeof(std::uint32_t);

/// Those from number `begin` to before `end` in the order of their keys.
template <class Key>
Positions part_by(const Positions& positions, std::size_t begin, std::size_t end, const Key& key_of) {
  std::vector<std::pair<decltype(key_of(0U)), std::uint32_t>> keyed;
  keyed.reserve(positions.size());
  for (const std::uint32_t position : positions) keyed.emplace_back(key_of(position), position);
  std::sort(keyed.begin(), keyed.end());
  Positions part;
  part.reserve(end - begin);
  for (std::size_t i = begin; i < end; ++i) part.push_back(keyed[i].second);
  return part;
}

bool scores_higher(const Scored& a, const Scored& b) { return a.score > b.score; }

/// Leaves those that the page lies among: all of the scores from that of its first track down to that of its last.
/// Gives how many have a higher score.
std::uint64_t keep_among(std::vector<Scored>& scored, std::uint64_t offset, std::uint64_t end) {
  const auto first = scored.begin() + static_cast<std::ptrdiff_t>(offset);
  const auto last = scored.begin() + static_cast<std::ptrdiff_t>(end) - 1;
  std::nth_element(scored.begin(), first, scored.end(), scores_higher);
  const std::uint32_t highest = first->score;
  std::nth_element(first, last, scored.end(), scores_higher);
  const std::uint32_t lowest = last->score;
  const std::size_t all = scored.size();
  std::erase_if(scored, [&](const Scored& it) { return it.score > highest; });
  const std::size_t before = all - scored.size();
  std::erase_if(scored, [&](const Scored& it) { return it.score < lowest; });
  return before;
}

/// Tracks of one score, of which a page has some.
struct Tie {
  Positions positions;
  std::size_t from = 0;  // of those, in the order of ids, the page has
  std::size_t to = 0;
  bool is_in_order = false;
};

}  // namespace

Positions page_by_key(std::vector<Keyed>& keyed, const PageRange& page) {
  if (page.offset >= keyed.size()) return {};
  const auto comes_first = [](const Keyed& a, const Keyed& b) { return a.key > b.key; };
  const std::uint64_t end = std::min<std::uint64_t>(keyed.size(), page.offset + page.limit);
  const auto first = keyed.begin() + static_cast<std::ptrdiff_t>(page.offset);
  const auto last = keyed.begin() + static_cast<std::ptrdiff_t>(end);
  std::nth_element(keyed.begin(), first, keyed.end(), comes_first);
  std::partial_sort(first, last, keyed.end(), comes_first);
  Positions positions;
  positions.reserve(static_cast<std::size_t>(last - first));
  for (auto at = first; at != last; ++at) positions.push_back(at->position);
  return positions;
}

/// What the page cuts out of a large tie is found first; then the tracks of all are read together, and tell the rest.
Positions page_of_ties(std::vector<Scored> scored, const Positions& lowest, const PageRange& page, const IdOrder& ids) {
  std::sort(scored.begin(), scored.end(), [](const Scored& a, const Scored& b) {
    return a.score != b.score ? a.score > b.score : a.position < b.position;
  });
  std::vector<Tie> ties;
  Positions read;
  const auto add = [&](const Positions& tied, std::size_t begin) {
    const auto number_of = [&](std::uint64_t place) {
      return static_cast<std::size_t>(std::clamp<std::uint64_t>(place, begin, begin + tied.size())) - begin;
    };
    Tie tie{{}, number_of(page.offset), number_of(page.offset + page.limit)};
    if (tie.from == tie.to) return;
    tie.is_in_order = !IdOrder::reads_tracks(tied.size(), tie.to - tie.from);
    tie.positions = tie.is_in_order ? ids.part(tied, tie.from, tie.to) : tied;
    read.insert(read.end(), tie.positions.begin(), tie.positions.end());
    ties.push_back(std::move(tie));
  };
  Positions tied;
  for (std::size_t begin = 0; begin < scored.size(); begin += tied.size()) {
    tied.clear();
    for (std::size_t i = begin; i < scored.size() && scored[i].score == scored[begin].score; ++i) {
      tied.push_back(scored[i].position);
    }
    add(tied, begin);
  }
  add(lowest, scored.size());
  ids.expect_tracks(read);
  Positions positions;
  for (const auto& [some, from, to, is_in_order] : ties) {
    const Positions ordered = is_in_order ? some : ids.part(some, from, to);
    positions.insert(positions.end(), ordered.begin(), ordered.end());
  }
  return positions;
}

bool IdOrder::reads_tracks(std::size_t count, std::size_t wanted) { return count - wanted <= kMoreTracks; }

std::optional<std::uint32_t> IdOrder::rank_beside(std::uint32_t position) const {
  for (const Posting* list : lists_) {
    const auto found = std::lower_bound(list->positions.begin(), list->positions.end(), position);
    if (found == list->positions.end() || *found != position) continue;
    return list->id_ranks[static_cast<std::size_t>(found - list->positions.begin())];
  }
  return std::nullopt;
}

std::optional<Positions> IdOrder::by_walk(const Positions& positions, std::size_t end) const {
  Positions met;
  const std::size_t size = ids_.positions.size();
  // Where they are spread evenly, it ends within the first piece.
  std::size_t piece = std::max(kWalkStep, size / positions.size() * (end + 1));
  for (std::size_t begin = 0; begin < size; begin += piece, piece *= 2) {
    if (begin > size / kWalkPart) return std::nullopt;
    const auto part = ids_.positions.part(begin, std::min(piece, size - begin));
    part.expect();
    for (const std::uint32_t position : part) {
      if (!std::binary_search(positions.begin(), positions.end(), position)) continue;
      met.push_back(position);
      if (met.size() == end) return met;
    }
  }
  damaged("the order of ids is no permutation");
}

Positions IdOrder::part(const Positions& positions, std::size_t begin, std::size_t end) const {
  const auto by = [&](const auto& key_of) { return part_by(positions, begin, end, key_of); };
  if (positions.size() < 2) return begin < end ? positions : Positions{};
  const bool is_beside = std::all_of(positions.begin(), positions.end(),
                                     [&](std::uint32_t position) { return rank_beside(position).has_value(); });
  if (is_beside) return by([&](std::uint32_t position) { return *rank_beside(position); });
  if (reads_tracks(positions.size(), end - begin)) {
    return by([&](std::uint32_t position) { return tracks_.id_at(position); });
  }
  if (end * kWalkPart <= positions.size()) {
    const auto met = by_walk(positions, end);
    if (met) return {met->begin() + static_cast<std::ptrdiff_t>(begin), met->end()};
  }
  // Many lie in all of the blocks.
  if (positions.size() > kRanksReadSingly) {
    ids_.ranks.part(positions.front(), positions.back() - positions.front() + 1).expect();
  } else {
    ids_.ranks.expect(positions);
  }
  return by([&](std::uint32_t position) { return rank(position); });
}

Positions page_of_scored(std::vector<Scored> scored, const PageRange& page, const IdOrder& ids) {
  const std::uint64_t end = std::min<std::uint64_t>(scored.size(), page.offset + page.limit);
  if (end <= page.offset) return {};
  const std::uint64_t before = keep_among(scored, page.offset, end);
  const PageRange part{page.offset - before, end - page.offset};
  if (!ids.is_near()) return page_of_ties(std::move(scored), {}, part, ids);
  std::vector<Keyed> keyed;
  keyed.reserve(scored.size());
  for (const auto& [score, position] : scored) keyed.push_back({rank_key(score, ids.rank(position)), position});
  return page_by_key(keyed, part);
}

}  // namespace tonearm::catalog
