#pragma once
// Counters of a service since its creation, for the host's metrics. A plain value without data of accounts.

#include <cstddef>
#include <cstdint>

namespace tonearm {

struct ServiceCounts {
  // Of the cache of catalog answers.
  std::uint64_t cache_hits = 0;
  std::uint64_t cache_misses = 0;
  std::size_t cache_bytes = 0;  // the current size of its keys and bodies
};

}  // namespace tonearm
