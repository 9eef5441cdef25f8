#pragma once
// Reads the tables of a snapshot's database that relate phrases (docs/snapshot-format.md). Throws CatalogDamaged.

#include <string>
#include <vector>

#include "tonearm/thesaurus.h"

struct sqlite3;

namespace tonearm::catalog {

/// Returns the sets of phrases that mean the same (SEARCH-4), as given to the writer.
std::vector<std::vector<std::string>> read_synonym_sets(sqlite3* database);
/// Returns the relations, as given to the writer.
std::vector<PhraseRelation> read_relations(sqlite3* database);

}  // namespace tonearm::catalog
