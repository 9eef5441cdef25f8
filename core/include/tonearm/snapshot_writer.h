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
#include "tonearm/signature.h"
#include "tonearm/track.h"

namespace tonearm {

class SqliteSnapshot;        // tonearm/sqlite_snapshot.h
class SqliteSnapshotOutput;  // likewise

/// A file that the snapshot was built from, or a folder with too many to name each.
struct SnapshotInput {
  std::string role;    // input, source, mapping, policy, synonyms
  std::string source;  // of a source: its name; else empty
  std::string name;    // relative to the source's folder; empty: all files of the folder together
  std::uint64_t files = 1;
  std::uint64_t bytes = 0;
  std::string sha256;  // in hex; empty: it could be read only once
};

struct SnapshotOptions {
  std::string site_url = "http://127.0.0.1:8080";  // page_url is {site}/tracks/{id} (TRACK-4)
  bool evaluation = false;                         // BUILD-3
  /// Labels of tags by facet and id; a tag without one gets words made from its id ("hip-hop": "Hip-Hop").
  std::array<std::map<std::string, std::string>, kFacetCount> tag_labels;
  /// Human names of sources by domain; a source without one is named by its domain.
  std::map<std::string, std::string> source_names;
  /// Sets of texts that mean the same in `q` (SEARCH-4).
  std::vector<std::vector<std::string>> synonyms;
  /// The manifest names them in this order (BUILD-21).
  std::vector<SnapshotInput> inputs = {};
  /// Null: the snapshot is not signed (BUILD-22). Outlives the call.
  const Signing* signing = nullptr;
  /// Called whenever a track has been gone through, which is kWriterRounds times for each. May be empty.
  std::function<void()> on_track = {};
};

inline constexpr int kWriterRounds = 3;

struct SnapshotSummary {
  std::string version;  // Tonearm-Catalog
  std::uint32_t track_count = 0;
};

/// Writes a snapshot that is ready to be published. Tracks have unique ids; `neighbors` are indices into `tracks`.
/// Throws Failure when the file cannot be written.
SnapshotSummary write_snapshot(SqliteSnapshotOutput& output, std::span<const Track> tracks,
                               const SnapshotOptions& options, Hashing& hashing);

/// Reads the whole snapshot again and compares: every block with its hash, content hash, counts, every posting list
/// with FTS5, every rendered track with its offsets and columns, every order, every neighbor, and the answers of some
/// searches with a scan of the tracks. Gives the first fault found.
Result<SnapshotSummary> verify_snapshot(const std::shared_ptr<const SqliteSnapshot>& snapshot, Hashing& hashing);

/// What the snapshot says of itself, by key (docs/snapshot-format.md, manifest and content hash). Throws Failure
/// for a file that is no snapshot, or one of another format version.
std::map<std::string, std::string> snapshot_manifest(const SqliteSnapshot& snapshot);

}  // namespace tonearm
