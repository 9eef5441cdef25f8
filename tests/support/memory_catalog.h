#pragma once
// Catalogs in memory for tests: tracks written as a snapshot and opened again, without a file.

#include <memory>
#include <span>
#include <string>

#include "tonearm/catalog.h"
#include "tonearm/snapshot_writer.h"

namespace tonearm::test {

/// The bytes of the snapshot of these tracks. Throws sql::Failure.
std::string snapshot_bytes(std::span<const Track> tracks, const SnapshotOptions& options = {});

/// A file of these bytes.
std::shared_ptr<const SnapshotFile> file_of_bytes(std::string bytes);

/// REQUIRES: tracks that make a catalog which may be opened. Throws sql::Failure or std::logic_error.
std::shared_ptr<const Catalog> make_memory_catalog(std::span<const Track> tracks, const SnapshotOptions& options = {},
                                                   Catalog::Options open_options = {});

}  // namespace tonearm::test
