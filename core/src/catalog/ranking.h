#pragma once
// The page of a result in the order that was asked for. Every order is total: ties go by id (C4.5).

#include <cstdint>
#include <string_view>
#include <vector>

#include "catalog/bonus.h"
#include "catalog/layout.h"
#include "catalog/match.h"

namespace tonearm::catalog {

struct PageRange {
  std::uint64_t offset = 0;
  std::uint64_t limit = 0;
};

/// Best score first. REQUIRES: the search has words.
std::vector<std::uint32_t> page_by_score(const Matches& matches, std::span<const Bonus> bonuses, const Columns& columns,
                                         const Kernels& kernels, const PageRange& page);
/// `sort` is one of kStoredSorts.
std::vector<std::uint32_t> page_by_order(const Matches& matches, Sort sort, const Columns& columns,
                                         const PositionRange& range, const PageRange& page);
/// The default shuffle where `seed` is empty. `size`: number of positions.
std::vector<std::uint32_t> page_shuffled(const Matches& matches, std::string_view seed, std::uint32_t size,
                                         const PageRange& page);

}  // namespace tonearm::catalog
