#pragma once
// Writes snapshots from checked tracks. The same tracks and options give the same bytes.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tonearm/catalog.h"
#include "tonearm/ports.h"
#include "tonearm/result.h"
#include "tonearm/signature.h"
#include "tonearm/thesaurus.h"
#include "tonearm/track_reader.h"

namespace tonearm {

class SqliteSnapshot;        // tonearm/sqlite_snapshot.h
class SqliteSnapshotOutput;  // likewise

/// A file that the snapshot was built from, or a folder with too many files to name each.
struct SnapshotInput {
  std::string role;    // input, source, mapping, policy, synonyms
  std::string source;  // the source's name; empty for other roles
  std::string name;    // relative to the source's folder; empty: all files of the folder together
  std::uint64_t files = 1;
  std::uint64_t bytes = 0;
  std::string sha256;  // in hex; empty if the file could be read only once
};

/// Calls work(begin, end) for each block of 0..count, in any order and on any threads. Returns after all calls have
/// ended; then rethrows one of their exceptions, if any. After an exception it may skip blocks.
using BlockRunner = std::function<void(std::size_t count, std::size_t block,
                                       const std::function<void(std::size_t begin, std::size_t end)>& work)>;

struct SnapshotOptions {
  std::string site_url = "http://127.0.0.1:8080";  // page_url is {site}/tracks/{id} (TRACK-4)
  bool evaluation = false;                         // BUILD-3
  /// Labels of tags by facet and id. A missing label is derived from the id ("hip-hop": "Hip-Hop").
  std::array<std::map<std::string, std::string>, kFacetCount> tag_labels;
  /// Human-readable names of sources by domain. A missing name is the domain.
  std::map<std::string, std::string> source_names;
  /// Sets of texts that mean the same in `q` (SEARCH-4).
  std::vector<std::vector<std::string>> synonyms;
  /// Phrases that are narrower or related. Those without a word, or with more than kRelatedWordsMax, are ignored.
  std::vector<PhraseRelation> relations = {};
  /// Listed by the manifest in this order (BUILD-21).
  std::vector<SnapshotInput> inputs = {};
  /// Entries of the manifest that tell later builds what similar tracks were computed from (BUILD-25).
  std::map<std::string, std::string> similar_digests = {};
  /// What changed since earlier versions, oldest first (BUILD-29). REQUIRES: the versions are different ones of 16
  /// lower-case hex digits; ids are not empty, and ids and licenses have at most 255 bytes; the changes of a version
  /// are sorted by kind, then id; there are at most kKnownVersionsMax versions and kKnownChangesMax changes.
  std::vector<VersionChanges> changes = {};
  /// Without a key, the snapshot is not signed (BUILD-22).
  SnapshotSigner signer = {};
  /// Called at the beginning of each step, with the number of its items at most. May be empty.
  std::function<void(std::string_view step, std::uint64_t items)> on_step = {};
  /// Called each time an item of the step has been processed. May be empty. REQUIRES: safe for concurrent calls if
  /// `run_blocks` uses several threads.
  std::function<void()> on_item = {};
  /// Runs the blocks of the texts whose results the writer counts for completions. Empty: the caller's thread counts
  /// them all.
  BlockRunner run_blocks = {};
};

struct SnapshotSummary {
  std::string version;  // Tonearm-Catalog
  std::uint32_t track_count = 0;
};

/// Writes a snapshot that is ready to be published. Reads each track at most six times, and keeps of it only what the
/// index needs. REQUIRES: the ids of the tracks are unique; `neighbors` are indices into `tracks`. Throws
/// Failure if the file cannot be written or a section exceeds its limit.
SnapshotSummary write_snapshot(SqliteSnapshotOutput& output, const TrackReader& tracks, const SnapshotOptions& options,
                               Hashing& hashing);

/// Reads the whole snapshot and cross-checks it: every block against its hash, content hash, counts, every posting list
/// against FTS5, every rendered track against its offsets and columns, every order, every neighbor, and the results of
/// sampled searches against a scan of the tracks. Returns the first error found.
Result<SnapshotSummary> verify_snapshot(const std::shared_ptr<const SqliteSnapshot>& snapshot, Hashing& hashing);

/// Returns the snapshot's manifest and content hash by key (docs/snapshot-format.md). Throws Failure if the file is not
/// a snapshot or has another format version, and CatalogDamaged if it is damaged.
std::map<std::string, std::string> snapshot_manifest(const SqliteSnapshot& snapshot);

/// Returns the matching titles by the positions of their tracks, of those that have one (SEARCH-3): the titles by which
/// searches and variants compare these tracks. `catalog`: the snapshot, opened. Throws CatalogDamaged.
std::map<std::uint32_t, std::string> matching_titles(const SqliteSnapshot& snapshot, const Catalog& catalog);

}  // namespace tonearm
