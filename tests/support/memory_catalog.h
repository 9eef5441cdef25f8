#pragma once
// Catalogs in memory for tests: tracks are written as a snapshot and opened without a file.

#include <memory>
#include <span>
#include <string>

#include "tonearm/catalog.h"
#include "tonearm/paged_file.h"
#include "tonearm/snapshot_writer.h"
#include "tonearm/sqlite_snapshot.h"

namespace tonearm::test {

/// Returns the bytes of the snapshot of these tracks. Throws Failure.
std::string snapshot_bytes(std::span<const Track> tracks, const SnapshotOptions& options = {});
std::string snapshot_bytes(std::span<const Track> tracks, const SnapshotOptions& options, Hashing& hashing);

/// Returns a snapshot with a file of these bytes.
std::shared_ptr<const SqliteSnapshot> snapshot_of_bytes(std::string bytes);

/// Whether the source delivers blocks at once, or throws BlocksMissing first.
enum class Blocks : std::uint8_t { immediate, after_replay };
/// A snapshot that is fetched block by block.
class PagedSnapshot : public SqliteSnapshot {
 public:
  const PagedFile& file() const override = 0;
  /// Ends the request: discards the blocks that were fetched for its replays, and its partial results.
  virtual void end_request() const = 0;
  /// The largest number of blocks that a request needed to keep for its replays.
  virtual std::size_t kept_blocks_max() const = 0;
};
/// Keeps only few blocks resident.
std::shared_ptr<const PagedSnapshot> paged_snapshot_of_bytes(std::string bytes, Blocks blocks);

std::string id_of(const RenderedTrack& track);

/// REQUIRES: the tracks form a catalog that can be opened. Throws Failure or std::logic_error.
std::shared_ptr<const Catalog> make_memory_catalog(std::span<const Track> tracks, const SnapshotOptions& options = {},
                                                   Catalog::Options open_options = {});

}  // namespace tonearm::test
