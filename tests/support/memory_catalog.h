#pragma once
// Catalogs in memory for tests: tracks written as a snapshot and opened again, without a file.

#include <memory>
#include <span>
#include <string>

#include "tonearm/catalog.h"
#include "tonearm/paged_file.h"
#include "tonearm/snapshot_writer.h"

namespace tonearm::test {

/// The bytes of the snapshot of these tracks. Throws sql::Failure.
std::string snapshot_bytes(std::span<const Track> tracks, const SnapshotOptions& options = {});

/// A file of these bytes.
std::shared_ptr<const SnapshotFile> file_of_bytes(std::string bytes);

/// Whether who asks for blocks gets them at once, or has to ask again.
enum class Blocks : std::uint8_t { waited_for, asked_for_again };
/// The same, to be fetched block by block, of which few are kept.
std::shared_ptr<const PagedFile> paged_file_of_bytes(std::string bytes, Blocks blocks);

/// REQUIRES: tracks that make a catalog which may be opened. Throws sql::Failure or std::logic_error.
std::shared_ptr<const Catalog> make_memory_catalog(std::span<const Track> tracks, const SnapshotOptions& options = {},
                                                   Catalog::Options open_options = {});

}  // namespace tonearm::test
