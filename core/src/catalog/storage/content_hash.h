#pragma once
// The hash of a snapshot's tables, which is a part of its content hash (docs/snapshot-format.md).

#include "tonearm/ports.h"

struct sqlite3;

namespace tonearm::catalog {

/// Throws Failure. FTS5's own tables are not part of it.
Sha256 hash_tables(sqlite3* database, Hashing& hashing);

}  // namespace tonearm::catalog
