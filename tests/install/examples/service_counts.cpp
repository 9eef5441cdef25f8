// Computes the cache hit rate in percent.
#include <tonearm/service_counts.h>

int main() {
  const tonearm::ServiceCounts counts{.cache_hits = 30, .cache_misses = 10, .cache_bytes = 4096};
  return 100 * counts.cache_hits / (counts.cache_hits + counts.cache_misses) == 75 ? 0 : 1;
}
