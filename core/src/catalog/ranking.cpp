#include "catalog/ranking.h"

#include <algorithm>

#include "catalog/shuffle.h"

namespace tonearm::catalog {
namespace {

struct Keyed {
  std::uint64_t key = 0;
  std::uint32_t position = 0;
};

// The page of what is sorted by unique keys: only the page itself gets fully sorted.
std::vector<std::uint32_t> page_by_key(std::vector<Keyed> keyed, const PageRange& page) {
  if (page.offset >= keyed.size()) return {};
  const std::uint64_t end = std::min<std::uint64_t>(keyed.size(), page.offset + page.limit);
  const auto less = [](const Keyed& a, const Keyed& b) { return a.key < b.key; };
  const auto first = keyed.begin() + static_cast<std::ptrdiff_t>(page.offset);
  const auto last = keyed.begin() + static_cast<std::ptrdiff_t>(end);
  std::nth_element(keyed.begin(), first, keyed.end(), less);
  std::partial_sort(first, last, keyed.end(), less);
  std::vector<std::uint32_t> positions;
  for (auto at = first; at != last; ++at) positions.push_back(at->position);
  return positions;
}

// Walks a stored order and takes what matches: cheap where much does.
std::vector<std::uint32_t> page_by_walk(const DocSet& matches, const Order& order, PageRange page) {
  std::vector<std::uint32_t> positions;
  for (const auto position : order.positions) {
    if (positions.size() == page.limit) break;
    if (!matches.has(position)) continue;
    if (page.offset > 0) {
      --page.offset;
    } else {
      positions.push_back(position);
    }
  }
  return positions;
}

const Order& stored_order(Sort sort, const Columns& columns) {
  const auto found = std::find(kStoredSorts.begin(), kStoredSorts.end(), sort);
  return columns.orders.at(static_cast<std::size_t>(found - kStoredSorts.begin()));
}

}  // namespace

std::vector<std::uint32_t> page_by_score(const std::vector<Hit>& hits, const Columns& columns, const PageRange& page) {
  std::vector<Keyed> keyed;
  keyed.reserve(hits.size());
  for (const Hit& hit : hits) {
    keyed.push_back({std::uint64_t{~hit.score} << 32U | columns.id_rank[hit.position], hit.position});
  }
  return page_by_key(std::move(keyed), page);
}

std::vector<std::uint32_t> page_by_order(const DocSet& matches, std::uint64_t total, Sort sort, const Columns& columns,
                                         const PageRange& page) {
  if (page.offset >= total) return {};
  const Order& order = stored_order(sort, columns);
  // A walk visits about size / total tracks for each it takes; selecting visits each match a few times.
  const std::uint64_t end = std::min(total, page.offset + page.limit);
  if (end * order.positions.size() / total < 4 * total) return page_by_walk(matches, order, page);
  std::vector<Keyed> keyed;
  keyed.reserve(static_cast<std::size_t>(total));
  matches.each(0, [&](std::uint32_t position) {
    keyed.push_back({order.ranks[position], position});
    return true;
  });
  return page_by_key(std::move(keyed), page);
}

std::vector<std::uint32_t> page_shuffled(const DocSet& matches, std::string_view seed, const PageRange& page) {
  if (!seed.empty()) {
    const std::uint64_t seed_hash = hash64(seed);
    std::vector<Keyed> keyed;
    matches.each(0, [&](std::uint32_t position) {
      keyed.push_back({seeded_key(seed_hash, position), position});
      return true;
    });
    return page_by_key(std::move(keyed), page);
  }
  std::vector<std::uint32_t> positions;
  if (page.limit == 0) return positions;
  matches.each(page.offset, [&](std::uint32_t position) {
    positions.push_back(position);
    return positions.size() < page.limit;
  });
  return positions;
}

}  // namespace tonearm::catalog
