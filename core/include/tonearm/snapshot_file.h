#pragma once
// The file of a snapshot as a host provides it: mapped by a server, in memory for a test, fetched by blocks on the
// edge, appended to by the builder. These ports transfer only bytes; connections to the database are in
// tonearm/sqlite_snapshot.h.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tonearm/result.h"
#include "tonearm/signature.h"

namespace tonearm {

/// The snapshot is truncated, altered, or contradicts docs/snapshot-format.md. Files that are sound but not accepted
/// (another format version, an evaluation profile), limits and I/O errors throw plain Failure.
class CatalogDamaged : public Failure {
  using Failure::Failure;
};

/// The unit in which a remote file is fetched and checked.
inline constexpr std::uint64_t kBlockBytes = 64 * 1024;

struct FileRange {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

/// The resident blocks of a remote file, for reading single values. Used by one thread.
class BlockTable {
 public:
  virtual ~BlockTable() = default;
  /// Returns the bytes from `offset` to the end of their block, valid until the next call of any function. REQUIRES:
  /// `offset` is inside the file.
  const char* at(std::uint64_t offset) {
    const auto number = static_cast<std::size_t>(offset / kBlockBytes);
    used_[number] = 1;
    const char* block = blocks_[number] != nullptr ? blocks_[number] : fetch(number);
    return block + offset % kBlockBytes;
  }

 protected:
  explicit BlockTable(std::uint64_t file_size)
      : blocks_(static_cast<std::size_t>((file_size + kBlockBytes - 1) / kBlockBytes)), used_(blocks_.size()) {}
  virtual const char* fetch(std::size_t number) = 0;

  std::vector<const char*> blocks_;  // null: not resident
  std::vector<std::uint8_t> used_;   // set by each use, cleared by the eviction scan
};

/// Results within a call, for hosts that replay a call from its start when it misses blocks: a replay uses the result
/// and does not need the blocks again from which it was made. Used by one thread.
class PartialResults {
 public:
  virtual ~PartialResults() = default;
  /// Returns what an earlier run of the call has stored. If it has stored nothing, the blocks that are fetched from now
  /// on are those of this result. `key`: an ASCII text that identifies the result within the call.
  virtual std::optional<std::string> find(std::string_view key) = 0;
  /// Stores the result, and releases its blocks.
  virtual void store(std::string_view key, std::string_view result) = 0;
};

/// Bytes that never change during the object's life. Safe for concurrent calls if all of them are in memory.
class SnapshotFile {
 public:
  virtual ~SnapshotFile() = default;

  /// In bytes.
  virtual std::uint64_t size() const = 0;
  /// Returns the bytes from `offset`, valid as long as the object; bytes of a remote file are valid until the end of
  /// the request that read them. They are aligned to 8 if `offset` is a multiple of 8. REQUIRES: the range is inside
  /// the file.
  virtual std::string_view bytes(std::uint64_t offset, std::uint64_t size) const = 0;
  /// Copies the same bytes.
  virtual void copy(std::uint64_t offset, std::span<char> out) const {
    const std::string_view there = bytes(offset, out.size());
    std::copy(there.begin(), there.end(), out.begin());
  }
  /// Fetches ranges that will be read soon in one round of parallel reads. Optional: reads fetch missing blocks on
  /// demand.
  virtual void prefetch(std::span<const FileRange> /*ranges*/) const {}
  /// Called after reading: returns whether all bytes that were read are those that the file had when it was opened. A
  /// file that others can write to overrides this; blocks that are verified on arrival cannot change.
  virtual bool is_unchanged() const { return true; }
  /// Returns null if the file is in memory: then every read uses `bytes`.
  virtual BlockTable* blocks() const { return nullptr; }
  /// Returns null if the host does not replay calls.
  virtual PartialResults* partial_results() const { return nullptr; }
};

/// The destination of a snapshot's bytes after its database.
class SnapshotOutput {
 public:
  virtual ~SnapshotOutput() = default;
  /// Reads back bytes of the finished database.
  virtual std::string read(std::uint64_t offset, std::uint64_t size) = 0;
  /// Appends bytes to the file.
  virtual void append(std::string_view bytes) = 0;
};

/// Returns the size of the SQLite database that starts with `header`, as its header states; 0 if the bytes are not such
/// a header. https://www.sqlite.org/fileformat2.html, 1.3
std::uint64_t database_size(std::string_view header);

/// Returns nothing if the snapshot is not signed. Throws CatalogDamaged if the file does not end like a snapshot.
std::optional<SignatureClaim> signature_claim(const SnapshotFile& file);

}  // namespace tonearm
