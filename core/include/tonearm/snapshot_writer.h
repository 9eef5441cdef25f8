#pragma once
// Makes a snapshot from checked tracks. The same tracks and options give the same bytes.

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "tonearm/catalog.h"
#include "tonearm/ports.h"
#include "tonearm/result.h"
#include "tonearm/sql.h"
#include "tonearm/track.h"

namespace tonearm {

struct SnapshotOptions {
  std::string site_url = "http://127.0.0.1:8080";  // page_url is {site}/tracks/{id} (C4.15)
  bool evaluation = false;                         // C10.2
  /// Labels of tags by facet and id; a tag without one gets words made from its id ("hip-hop": "Hip-Hop").
  std::array<std::map<std::string, std::string>, kFacetCount> tag_labels;
  /// Human names of sources by domain; a source without one is named by its domain.
  std::map<std::string, std::string> source_names;
  /// Sets of phrases that mean the same in `q` (C4.2).
  std::vector<std::vector<std::string>> synonyms;
  /// Called whenever a track has been gone through, which is kWriterRounds times for each. May be empty.
  std::function<void()> on_track = {};
};

inline constexpr int kWriterRounds = 3;

struct SnapshotSummary {
  std::string version;  // Tonearm-Catalog
  std::uint32_t track_count = 0;
};

/// Where a snapshot is written to: a database, and what comes behind it in the same file.
class SnapshotOutput {
 public:
  virtual ~SnapshotOutput() = default;
  /// A connection to the empty database that the file begins with (page size not yet set, nothing in it).
  virtual sqlite3* database() = 0;
  /// Closes it: its bytes are whole now. Gives their number.
  virtual std::uint64_t end_database() = 0;
  /// Reads back bytes of the ended database.
  virtual std::string read(std::uint64_t offset, std::uint64_t size) = 0;
  /// Adds bytes at the end of the file, behind the database.
  virtual void append(std::string_view bytes) = 0;
};

/// Writes a snapshot that is ready to be published. Tracks have unique ids; `neighbors` are indices into `tracks`.
/// Throws sql::Failure when the file cannot be written.
SnapshotSummary write_snapshot(SnapshotOutput& output, std::span<const Track> tracks, const SnapshotOptions& options,
                               Hashing& hashing);

/// Reads the whole snapshot again and compares: every block with its hash, content hash, counts, every posting with
/// FTS5, every rendered track with its offsets and columns, every order, every neighbor. Gives the first fault found.
Result<SnapshotSummary> verify_snapshot(const std::shared_ptr<const SnapshotFile>& file, Hashing& hashing);

/// What the snapshot says of itself, by key (docs/snapshot-format.md, manifest and content hash). Throws sql::Failure
/// for a file that is no snapshot, or one of another format version.
std::map<std::string, std::string> snapshot_manifest(const SnapshotFile& file);

}  // namespace tonearm
