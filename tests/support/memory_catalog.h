#pragma once
// Catalogs in memory for tests: tracks written as a snapshot and opened again, without a file.

#include <memory>
#include <span>
#include <string>

#include "tonearm/catalog.h"
#include "tonearm/paged_file.h"
#include "tonearm/snapshot_writer.h"
#include "tonearm/sqlite_snapshot.h"

namespace tonearm::test {

/// The bytes of the snapshot of these tracks. Throws Failure.
std::string snapshot_bytes(std::span<const Track> tracks, const SnapshotOptions& options = {});

/// With a file of these bytes.
std::shared_ptr<const SqliteSnapshot> snapshot_of_bytes(std::string bytes);

/// Whether who asks for blocks gets them at once, or has to ask again.
enum class Blocks : std::uint8_t { waited_for, asked_for_again };
/// A snapshot that is fetched block by block.
class PagedSnapshot : public SqliteSnapshot {
 public:
  const PagedFile& file() const override = 0;
  /// Whoever asked is answered: what was fetched for the request's replays is let go.
  virtual void end_request() const = 0;
};
/// Keeps few of the blocks.
std::shared_ptr<const PagedSnapshot> paged_snapshot_of_bytes(std::string bytes, Blocks blocks);

/// REQUIRES: tracks that make a catalog which may be opened. Throws Failure or std::logic_error.
std::shared_ptr<const Catalog> make_memory_catalog(std::span<const Track> tracks, const SnapshotOptions& options = {},
                                                   Catalog::Options open_options = {});

}  // namespace tonearm::test
