#include "catalog/query/similar.h"

#include <algorithm>

#include "catalog/query/neighbor_merge.h"
#include "catalog/query/track_lookup.h"

namespace tonearm::catalog {
namespace {

void check_neighbor(std::uint32_t neighbor, const Layout& layout) {
  if (neighbor >= layout.speech_end) damaged("a neighbor is no track that can be found");
}

/// The neighbors of all seeds that there are; each seed counts once.
NeighborMerge merge_of(std::span<const std::string> ids, const TrackLookup& lookup, const TrackStore& tracks) {
  std::vector<std::uint32_t> seeds;
  for (const auto& found : lookup.look_up(ids)) {
    if (found) seeds.push_back(found->position);
  }
  std::sort(seeds.begin(), seeds.end());
  seeds.erase(std::unique(seeds.begin(), seeds.end()), seeds.end());
  std::vector<std::span<const std::uint32_t>> lists;
  std::size_t entries = 0;
  for (const auto seed : seeds) {
    lists.push_back(tracks.at(seed).neighbors);
    entries += lists.back().size();
  }
  NeighborMerge merge(entries);
  for (const auto& list : lists) merge.add(list);
  return merge;
}

}  // namespace

Page page_of_neighbors(std::uint32_t position, const Filters& filters, const PageRange& page, const Index& index,
                       const Fetcher& fetcher) {
  Page found;
  const auto neighbors = index.tracks.at(position).neighbors;
  fetcher.columns(filters, neighbors);
  for (const auto neighbor : neighbors) {
    check_neighbor(neighbor, index.layout);
    if (!passes(filters, index.columns, neighbor)) continue;
    if (found.total >= page.offset && found.tracks.size() < page.limit) found.tracks.push_back(neighbor);
    ++found.total;
  }
  return found;
}

Page page_of_merged(const MergeQuery& query, const Index& index, const Fetcher& fetcher) {
  const TrackLookup lookup(index, fetcher);
  std::vector<std::string> ids = query.seeds;
  ids.insert(ids.end(), query.left_out.begin(), query.left_out.end());
  fetcher.ids(ids);
  const NeighborMerge merge = merge_of(query.seeds, lookup, index.tracks);

  // If the filter and the collection disagree on commercial use, nothing is left.
  Filters filters = query.filters;
  const bool asks_for_none = query.hide_non_commercial && filters.commercial == false;
  if (query.hide_non_commercial) filters.commercial = true;
  std::vector<std::uint32_t> merged = merge.positions();
  fetcher.columns(filters, merged);
  std::sort(merged.begin(), merged.end());
  const std::vector<std::uint32_t> left_out = lookup.find_among(query.left_out, merged);
  std::vector<Scored> kept;
  for (const MergedNeighbor& neighbor : merge.merged()) {
    check_neighbor(neighbor.position, index.layout);
    if (asks_for_none || !passes(filters, index.columns, neighbor.position)) continue;
    if (std::binary_search(left_out.begin(), left_out.end(), neighbor.position)) continue;
    kept.push_back({neighbor.closeness(), neighbor.position});
  }
  return {page_of_scored(kept, {}, {query.offset, query.limit}, {index, fetcher}), kept.size()};
}

}  // namespace tonearm::catalog
