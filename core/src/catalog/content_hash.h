#pragma once
// The hash that names what a snapshot holds (C6.4; docs/snapshot-format.md, Content hash).

#include <string>

#include "tonearm/ports.h"

struct sqlite3;

namespace tonearm::catalog {

/// 64 lower-case hex digits over every row of every table but the word table of FTS5 and the hash itself.
std::string content_hash(sqlite3* database, Hashing& hashing);

}  // namespace tonearm::catalog
