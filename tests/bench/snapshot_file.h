#pragma once
// The snapshot of a generated catalog, and fingerprints of what it and the peers are made from.

#include <string>

#include "generator.h"
#include "tonearm/catalog.h"

namespace tonearm::bench {

/// Of some tracks of the generator: another one after any change of what it makes.
std::string fingerprint_of(const Generator& generator);
/// Of the same tracks as the catalog renders them.
std::string fingerprint_of(const Generator& generator, const Catalog& catalog);

/// Writes the snapshot to `path` and what queries may name to `names_path`. Throws Failure, std::runtime_error.
void write_snapshot_file(const Generator& generator, const std::string& path, const std::string& names_path);

}  // namespace tonearm::bench
