// Searches, and counts the moods of the results. A page owns its contents.
#include <tonearm/catalog.h>
#include <tonearm/search.h>
#include "in_memory.h"

int main(int count, char** words) {
  if (count != 2) return 2;
  const auto catalog = tonearm::Catalog::open(std::make_shared<example::SnapshotInMemory>(words[1]), {});
  if (!catalog) return 1;
  tonearm::SearchQuery query;
  query.q = "piano";
  query.filters.commercial = true;
  query.sort = tonearm::Sort::shortest;
  query.limit = 2;
  const tonearm::Page page = (*catalog)->search(query);
  const auto counts = (*catalog)->facet_counts(query, std::vector{tonearm::CountedFacet::mood});
  const auto& moods = counts.of.at(static_cast<std::size_t>(tonearm::CountedFacet::mood));
  return page.tracks.size() == 2 && page.total == (*catalog)->count(query) && moods && !moods->empty() ? 0 : 1;
}
