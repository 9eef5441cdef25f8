#pragma once
// Random catalogs and queries from a small vocabulary with many collisions: inflections, diacritics, case, function
// words, the same tag in several facets, equal scores. The same seed gives the same result.

#include <string>
#include <vector>

#include "fakes.h"
#include "oracle.h"
#include "tonearm/snapshot_writer.h"

namespace tonearm::test::oracle {

struct RandomCatalog {
  std::vector<Track> tracks;
  SnapshotOptions options;
};

RandomCatalog random_catalog(SeededRandom& random, std::size_t size);

/// Valid parameters of a search, without `limit`, `cursor` and `fields`.
Parameters random_search(SeededRandom& random, const RandomCatalog& catalog);
/// Returns a value of `facets` that is valid for a search with these parameters.
std::string random_facets(SeededRandom& random, const Parameters& search);
/// Valid filters of a similar list.
Parameters random_similar(SeededRandom& random);

/// Returns all texts of a catalog's tracks and synonyms, to be tokenized at once.
std::vector<std::string> texts_of(const RandomCatalog& catalog);

}  // namespace tonearm::test::oracle
