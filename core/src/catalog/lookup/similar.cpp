#include "catalog/lookup/similar.h"

#include <algorithm>
#include <utility>

#include "catalog/lookup/neighbor_merge.h"
#include "catalog/lookup/track_lookup.h"
#include "catalog/query/ties.h"

namespace tonearm::catalog {
namespace {

void check_neighbor(std::uint32_t neighbor, const Layout& layout) {
  if (neighbor >= layout.speech_end) throw_damaged("a neighbor is not a searchable track");
}

/// Merges the neighbors of all seeds in the catalog; each seed counts once.
NeighborMerge merge_of(std::span<const std::string> ids, const TrackLookup& lookup, const Index& index) {
  std::vector<std::uint32_t> seeds;
  for (const auto& found : lookup.look_up(ids)) {
    if (found) seeds.push_back(found->position);
  }
  std::sort(seeds.begin(), seeds.end());
  seeds.erase(std::unique(seeds.begin(), seeds.end()), seeds.end());
  std::vector<std::vector<std::uint32_t>> lists;
  std::size_t entries = 0;
  for (const auto seed : seeds) {
    if (index.taken_down.contains(seed)) continue;
    const auto neighbors = index.tracks.at(seed).neighbors;
    lists.emplace_back(neighbors.begin(), neighbors.end());
    index.taken_down.remove_from(lists.back());
    entries += lists.back().size();
  }
  NeighborMerge merge(entries);
  for (const auto& list : lists) merge.add(list);
  return merge;
}

/// Returns the page of merged neighbors, equal ones by id (SIMILAR-4). Tracks of equal closeness share a best rank, so
/// there are at most as many as seeds. They are read to compare ids; the page needs most of them anyway.
std::vector<std::uint32_t> page_of_candidates(std::vector<Scored> kept, const PageRange& page, const Index& index,
                                              const Fetcher& fetcher) {
  const auto first = static_cast<std::size_t>(std::min<std::uint64_t>(page.offset, kept.size()));
  const auto last = static_cast<std::size_t>(std::min<std::uint64_t>(page.offset + page.limit, kept.size()));
  if (first == last) return {};
  std::sort(kept.begin(), kept.end(), [](const Scored& a, const Scored& b) { return a.score > b.score; });
  std::size_t begin = first;
  while (begin > 0 && kept[begin - 1].score == kept[first].score) --begin;
  std::size_t end = last;
  while (end < kept.size() && kept[end].score == kept[last - 1].score) ++end;
  const auto read = std::span(kept).subspan(begin, end - begin);
  std::vector<std::uint32_t> positions;
  for (const Scored& it : read) positions.push_back(it.position);
  fetcher.tracks(positions);
  std::sort(read.begin(), read.end(), [&](const Scored& a, const Scored& b) {
    if (a.score != b.score) return a.score > b.score;
    return index.tracks.id_at(a.position) < index.tracks.id_at(b.position);
  });
  std::transform(read.begin(), read.end(), positions.begin(), [](const Scored& it) { return it.position; });
  return {positions.begin() + static_cast<std::ptrdiff_t>(first - begin),
          positions.begin() + static_cast<std::ptrdiff_t>(last - begin)};
}

}  // namespace

Page page_of_neighbors(std::uint32_t position, const Filters& filters, const PageRange& page, const Index& index,
                       const Fetcher& fetcher) {
  Page found;
  if (index.taken_down.contains(position)) return found;
  const auto neighbors = index.tracks.at(position).neighbors;
  fetcher.columns(filters, neighbors);
  for (const auto neighbor : neighbors) {
    check_neighbor(neighbor, index.layout);
    if (!passes(filters, index.columns, neighbor) || index.taken_down.contains(neighbor)) continue;
    if (found.total >= page.offset && found.tracks.size() < page.limit) found.tracks.push_back(neighbor);
    ++found.total;
  }
  return found;
}

Page page_of_merged(const MergeQuery& query, const Index& index, const Fetcher& fetcher) {
  const TrackLookup lookup(index, fetcher);
  std::vector<std::string> ids = query.seeds;
  ids.insert(ids.end(), query.excluded.begin(), query.excluded.end());
  fetcher.ids(ids);
  const NeighborMerge merge = merge_of(query.seeds, lookup, index);

  // If the filter and the collection contradict each other on commercial use, nothing matches.
  Filters filters = query.filters;
  const bool is_contradictory = query.hide_non_commercial && filters.commercial == false;
  if (query.hide_non_commercial) filters.commercial = true;
  std::vector<std::uint32_t> merged = merge.positions();
  fetcher.columns(filters, merged);
  std::sort(merged.begin(), merged.end());
  const std::vector<std::uint32_t> excluded = lookup.find_among(query.excluded, merged);
  std::vector<Scored> kept;
  for (const MergedNeighbor& neighbor : merge.merged()) {
    check_neighbor(neighbor.position, index.layout);
    if (is_contradictory || !passes(filters, index.columns, neighbor.position)) continue;
    if (std::binary_search(excluded.begin(), excluded.end(), neighbor.position)) continue;
    kept.push_back({neighbor.closeness(), neighbor.position});
  }
  const std::uint64_t total = kept.size();
  return {page_of_candidates(std::move(kept), {query.offset, query.limit}, index, fetcher), total};
}

}  // namespace tonearm::catalog
