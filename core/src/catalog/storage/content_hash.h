#pragma once
// Hashes the tables of a snapshot, as a part of its content hash (docs/snapshot-format.md).

#include "tonearm/ports.h"

struct sqlite3;

namespace tonearm::catalog {

/// Omits FTS5's own tables. Throws Failure, CatalogDamaged if a value has an unexpected type.
Sha256 hash_tables(sqlite3* database, Hashing& hashing);

}  // namespace tonearm::catalog
