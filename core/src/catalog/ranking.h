#pragma once
// The page of a result in the order that was asked for. Every order is total: ties go by id (C4.5).

#include <cstdint>
#include <string_view>
#include <vector>

#include "catalog/doc_set.h"
#include "catalog/layout.h"
#include "catalog/match.h"

namespace tonearm::catalog {

struct PageRange {
  std::uint64_t offset = 0;
  std::uint64_t limit = 0;
};

/// Best score first.
std::vector<std::uint32_t> page_by_score(const std::vector<Hit>& hits, const Columns& columns, const PageRange& page);
/// `total`: number of members. `sort` is one of kStoredSorts.
std::vector<std::uint32_t> page_by_order(const DocSet& matches, std::uint64_t total, Sort sort, const Columns& columns,
                                         const PageRange& page);
/// The default shuffle where `seed` is empty.
std::vector<std::uint32_t> page_shuffled(const DocSet& matches, std::string_view seed, const PageRange& page);

}  // namespace tonearm::catalog
