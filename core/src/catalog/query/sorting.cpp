#include "catalog/query/sorting.h"

#include <algorithm>

#include "catalog/index/facets.h"
#include "catalog/query/shuffle.h"

namespace tonearm::catalog {
namespace {

/// Returns the ranks of a stored order that contain all matches of the query.
IndexRange ranks_of(const SearchQuery& query, Sort sort, const Index& index) {
  // All effects, including speech, follow music in one order.
  const Layout& layout = index.layout;
  const bool is_music = query.kind == Kind::music;
  const IndexRange all = is_music ? IndexRange{0, layout.music_end} : IndexRange{layout.music_end, layout.speech_end};
  if (query.lengths.empty() || (sort != Sort::shortest && sort != Sort::longest)) return all;
  // An order by duration has one length after the other.
  std::array<std::uint64_t, kLengthNames.size() + 1> ends{};
  for (std::size_t i = 0; i < kLengthNames.size(); ++i) {
    const auto [music, effects, speech] = index.terms.counts(facet_key(kLengthFacet, kLengthNames[i]));
    ends.at(i + 1) = ends.at(i) + (is_music ? std::uint64_t{music} : std::uint64_t{effects} + speech);
  }
  if (ends.back() != all.end - all.begin) throw_damaged("a track has no length or several");
  const auto [least, greatest] = std::minmax_element(query.lengths.begin(), query.lengths.end());
  const auto begin = static_cast<std::size_t>(ends.at(static_cast<std::size_t>(*least)));
  const auto end = static_cast<std::size_t>(ends.at(static_cast<std::size_t>(*greatest) + 1));
  if (sort == Sort::shortest) return {all.begin + begin, all.begin + end};
  return {all.end - end, all.end - begin};
}

/// Walks an order of positions and collects matches: cheap if many tracks match. `at(i)` returns the i-th position.
template <class At>
std::vector<std::uint32_t> page_by_walk(const Matches& matches, std::uint64_t begin, std::uint64_t end, const At& at,
                                        PageRange page) {
  std::vector<std::uint32_t> positions;
  for (std::uint64_t i = begin; i < end && positions.size() < page.limit; ++i) {
    const std::uint32_t position = at(i);
    if (!matches.bits.contains(position)) continue;
    if (page.offset > 0) {
      --page.offset;
    } else {
      positions.push_back(position);
    }
  }
  return positions;
}

/// A walk over `steps` visits about steps / total tracks per match; selecting visits each match a few times.
bool walk_is_shorter(const Matches& matches, std::uint64_t steps, const PageRange& page) {
  if (matches.listed || matches.total == 0) return false;
  const std::uint64_t end = std::min(matches.total, page.offset + page.limit);
  return end * steps / matches.total < 4 * matches.total;
}

/// Returns the page by ascending `rank_of(position)`.
template <class Rank>
std::vector<std::uint32_t> page_by_rank(const Matches& matches, const Rank& rank_of, const PageRange& page) {
  std::vector<Keyed> keyed;
  keyed.reserve(static_cast<std::size_t>(matches.total));
  if (matches.listed) {
    for (const std::uint32_t position : matches.positions) keyed.push_back({rank_of(position), position});
  } else {
    matches.bits.each(0, [&](std::uint32_t position) {
      keyed.push_back({rank_of(position), position});
      return true;
    });
  }
  const auto at = [&](std::uint64_t end) {
    return static_cast<std::size_t>(std::min<std::uint64_t>(end, keyed.size()));
  };
  return positions_by_key(keyed, at(page.offset), at(page.offset + page.limit));
}

}  // namespace

const Order& stored_order(Sort sort, const Index& index) {
  const Sort stored = sort == Sort::relevance ? Sort::quality : sort;
  const auto found = std::find(kStoredSorts.begin(), kStoredSorts.end(), stored) - kStoredSorts.begin();
  return index.columns.orders.at(static_cast<std::size_t>(found));
}

std::vector<std::uint32_t> page_by_sort(const Matches& matches, const SearchQuery& query, Sort sort,
                                        const PageRange& page, const Index& index, const Fetcher& fetcher) {
  const Order& order = stored_order(sort, index);
  const IndexRange ranks = ranks_of(query, sort, index);
  if (page.offset >= matches.total) return {};
  const std::uint64_t steps = ranks.end - ranks.begin;
  if (walk_is_shorter(matches, steps, page)) {
    // Twice as far as needed if matches are spread evenly.
    const std::uint64_t likely = 2 * (page.offset + page.limit) * steps / matches.total + kWordBits;
    fetcher.array(order.positions.subarray(ranks.begin, static_cast<std::size_t>(std::min(likely, steps))));
    return page_by_walk(
        matches, ranks.begin, ranks.end, [&](std::uint64_t i) { return order.positions[static_cast<std::size_t>(i)]; },
        page);
  }
  if (matches.listed) {
    fetcher.elements(order.ranks, matches.positions);
  } else {
    fetcher.array(order.ranks);
  }
  return page_by_rank(
      matches, [&](std::uint32_t position) { return order.ranks[position]; }, page);
}

std::vector<std::uint32_t> page_shuffled(const Matches& matches, std::string_view seed, std::uint32_t size,
                                         const PageRange& page) {
  if (page.offset >= matches.total || page.limit == 0) return {};
  if (!seed.empty()) {
    const SeededShuffle shuffle(seed, size);
    const auto at = [&](std::uint64_t rank) { return static_cast<std::uint32_t>(shuffle.position_at(rank)); };
    if (walk_is_shorter(matches, shuffle.rank_count(), page)) {
      return page_by_walk(matches, 0, shuffle.rank_count(), at, page);
    }
    return page_by_rank(
        matches, [&](std::uint32_t position) { return shuffle.rank_of(position); }, page);
  }
  if (matches.listed) {
    const auto first = matches.positions.begin() + static_cast<std::ptrdiff_t>(page.offset);
    const auto count = std::min<std::uint64_t>(page.limit, matches.total - page.offset);
    return {first, first + static_cast<std::ptrdiff_t>(count)};
  }
  std::vector<std::uint32_t> positions;
  matches.bits.each(page.offset, [&](std::uint32_t position) {
    positions.push_back(position);
    return positions.size() < page.limit;
  });
  return positions;
}

}  // namespace tonearm::catalog
