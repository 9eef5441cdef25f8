#pragma once
// The number of the program's method to compute lists of similar tracks (BUILD-25).

#include <cstdint>

namespace tonearm::builder {

/// Part of each pool's digest: a build keeps an earlier build's lists only if the same method computed them. Increase
/// it with every change after which the lists of any catalog differ. tests/structure/similar_method.mjs fails until
/// this comment states the hash of the folder's code: 372a2d3abee109c5.
inline constexpr std::uint64_t kListMethod = 1;

}  // namespace tonearm::builder
