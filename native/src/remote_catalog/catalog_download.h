#pragma once
// Downloads a catalog from object storage by the blocks that no earlier snapshot on disk has, and replaces a file with
// it once it is complete and checked (HOST-51, HOST-52). One thread runs rounds; the counts are safe for concurrent
// calls.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "object_store/object_reader.h"
#include "remote_catalog/block_file.h"
#include "remote_catalog/download_folder.h"
#include "snapshot/checked_catalog.h"

namespace tonearm::native {

/// Who may read a downloaded file.
enum class FileMode : std::uint8_t {
  owner,  // only its owner
  kept,   // as the file that it replaces; without one, as any new file
};

struct DownloadOptions {
  ObjectAccess access;
  std::string file;                  // is replaced by each new version
  std::vector<std::string> bases;    // further snapshots whose blocks are used
  std::string folder;                // for what is not complete; on the same disk as `file`
  std::uint64_t bytes_max = 0;       // of a snapshot
  std::uint64_t disk_bytes_max = 0;  // of `file` and all files in the folder
  SignatureRule rule;                // HOST-30
  Catalog::Options catalog;
  FileMode mode = FileMode::owner;
  bool checks_file = false;  // whether the blocks of `file` are compared with their hashes before it counts as current
};

/// What is counted, for metrics.
struct DownloadCounts {
  std::atomic<std::uint64_t> bytes = 0;           // read from the store
  std::atomic<std::uint64_t> failures = 0;        // rounds that failed
  std::atomic<std::uint64_t> missing_blocks = 0;  // of the version that is being downloaded
  std::atomic<std::int64_t> answered_s = 0;       // when the store last had the current version; Unix time
};

/// The snapshot is damaged at the store. It is not downloaded again.
class SnapshotRejected final : public Failure {
  using Failure::Failure;
};

/// A download that has begun. Both live as long as the pointer.
struct BegunDownload {
  std::shared_ptr<BlockFile> file;
  ObjectVersion version;
};

class CatalogDownload {
 public:
  enum class Outcome : std::uint8_t { unchanged, replaced };
  /// Called on the thread of the round when blocks of a new version begin to arrive. What it throws ends the round.
  using OnBegin = std::function<void(const BegunDownload&, ObjectReader&)>;

  /// `hashing` and `random` outlive the object. Throws Failure if the folder cannot be used.
  CatalogDownload(DownloadOptions options, Hashing& hashing, Random& random, OnBegin on_begin = {});

  /// Compares the store's version with the file, and replaces the file if it has another one or is damaged. Throws
  /// SnapshotRejected, or another Failure; the latter keeps all blocks that arrived, so that the next round continues.
  /// Both keep the file.
  Outcome run();
  /// Lets the next round look for damaged blocks in the file.
  void check_file() { checks_file_ = true; }

  const DownloadOptions& options() const { return options_; }
  DownloadCounts& counts() { return counts_; }
  const DownloadCounts& counts() const { return counts_; }

 private:
  std::optional<ObjectEnd> read_end(const std::string& current);
  BlockHashes read_hashes(const ObjectEnd& end);
  Outcome note_current();
  bool is_file_damaged() const;
  std::string rejection_of(const BlockHashes& hashes) const;
  void check_rejected(const BlockHashes& hashes) const;
  void begin(const BlockHashes& hashes);
  void make_space(std::uint64_t size) const;
  void copy_blocks();
  void fetch_blocks(const ObjectVersion& version);
  void check();
  void finish();
  bool is_interrupted() const { return options_.catalog.interrupted && options_.catalog.interrupted(); }

  const DownloadOptions options_;
  Hashing& hashing_;
  OnBegin on_begin_;
  DownloadFolder folder_;
  ObjectReader reader_;
  DownloadCounts counts_;
  std::shared_ptr<BlockFile> partial_;  // null: no download has begun
  bool checks_file_;                    // before the file counts as current
  std::string known_tag_;               // of the version in the file
  std::string known_end_;
};

/// Reads the missing blocks of a run and stores them. Throws Failure if one does not match its hash.
void fetch_run(ObjectReader& reader, const ObjectVersion& version, const BlockRun& run, BlockFile& file,
               DownloadCounts& counts);

}  // namespace tonearm::native
