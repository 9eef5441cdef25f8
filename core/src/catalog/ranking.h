#pragma once
// The page of a result in the order that was asked for. Every order is total: ties go by id (C4.5).

#include <cstdint>
#include <string_view>
#include <vector>

#include "catalog/bonus.h"
#include "catalog/layout.h"
#include "catalog/match.h"
#include "catalog/page.h"

namespace tonearm::catalog {

/// Best score first. REQUIRES: the search has words.
std::vector<std::uint32_t> page_by_score(Matches& matches, std::span<const Bonus> bonuses, IdOrder ids,
                                         const Kernels& kernels, const PageRange& page);
/// In a stored order. All matches stand in it from place `places.begin` to before `places.end`.
std::vector<std::uint32_t> page_by_order(const Matches& matches, const Order& order, const Between& places,
                                         const PageRange& page);
/// The default shuffle where `seed` is empty. `size`: number of positions.
std::vector<std::uint32_t> page_shuffled(const Matches& matches, std::string_view seed, std::uint32_t size,
                                         const PageRange& page);

}  // namespace tonearm::catalog
