#pragma once
// The snapshot of a generated catalog, and fingerprints of its input and that of the peers.

#include <string>

#include "generator.h"
#include "tonearm/catalog.h"

namespace tonearm::bench {

/// Hashes some tracks of the generator, so that any change of its output changes the fingerprint.
std::string fingerprint_of(const Generator& generator);
/// Hashes the same tracks as the catalog renders them.
std::string fingerprint_of(const Generator& generator, const Catalog& catalog);

/// Writes the snapshot to `path`, and the names for queries to `names_path`. Throws Failure, std::runtime_error.
void write_snapshot_file(const Generator& generator, const std::string& path, const std::string& names_path);

}  // namespace tonearm::bench
