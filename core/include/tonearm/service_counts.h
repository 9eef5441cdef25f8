#pragma once
// What a service counted since it was made, for the host's metrics. A plain value; nothing in it is of one account.

#include <cstddef>
#include <cstdint>

namespace tonearm {

struct ServiceCounts {
  /// Of the cache of whole answers: what was asked of it, and what its keys and bodies take now.
  std::uint64_t cache_hits = 0;
  std::uint64_t cache_misses = 0;
  std::size_t cache_bytes = 0;
};

}  // namespace tonearm
