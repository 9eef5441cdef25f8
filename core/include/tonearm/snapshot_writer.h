#pragma once
// Makes a snapshot from checked tracks. The same tracks and options give the same bytes.

#include <cstdint>
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
};

struct SnapshotSummary {
  std::string version;  // Tonearm-Catalog
  std::uint32_t track_count = 0;
};

/// Writes the snapshot into the empty database `database` (page size not yet set, nothing in it) and
/// leaves it ready to be published: no journal, no further page. Tracks have unique ids; `neighbors` are
/// indices into `tracks`. Throws sql::Failure when the file cannot be written.
SnapshotSummary write_snapshot(sqlite3* database, std::span<const Track> tracks, const SnapshotOptions& options,
                               Hashing& hashing);

/// Reads the whole snapshot again and compares: content hash, counts, every posting against FTS5, every
/// rendered track against the offsets, every neighbor. Gives the first fault found.
Result<SnapshotSummary> verify_snapshot(const ConnectSnapshot& connect, Hashing& hashing);

/// What the snapshot says of itself, by key (docs/snapshot-format.md, manifest). Throws sql::Failure for a file that is
/// no snapshot, or one of another format version.
std::map<std::string, std::string> snapshot_manifest(const ConnectSnapshot& connect);

}  // namespace tonearm
