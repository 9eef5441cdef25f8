#pragma once
// Random catalogs and random questions to them, from a small vocabulary in which much collides: inflections,
// diacritics, case, function words, the same tag in several facets, equal ranks. The same seed gives the same.

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
/// Some of the facets that a search with these parameters may count, as it asks for them.
std::string random_facets(SeededRandom& random, const Parameters& search);
/// Valid filters of a similar list.
Parameters random_similar(SeededRandom& random);

/// All texts that a catalog's tracks and synonyms hold, to be read at once.
std::vector<std::string> texts_of(const RandomCatalog& catalog);

}  // namespace tonearm::test::oracle
