#pragma once
// The file of a snapshot as a host provides it: mapped by a server, held in memory by a test, fetched by blocks on the
// edge, appended to by the builder. Bytes alone; connections to its database are in tonearm/sqlite_snapshot.h.

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

/// A snapshot is truncated, altered, or contradicts docs/snapshot-format.md.
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
  /// The bytes from `offset` on, up to the end of their block, valid until the next call of any function. REQUIRES:
  /// they are inside the file.
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
  std::vector<std::uint8_t> used_;   // since the eviction last looked
};

/// Bytes that never change while the object lives. Safe for concurrent calls if all of them are in memory.
class SnapshotFile {
 public:
  virtual ~SnapshotFile() = default;

  /// In bytes.
  virtual std::uint64_t size() const = 0;
  /// The bytes from `offset` on, valid as long as the object lives; those of a remote file until the end of the request
  /// that read them. They start at a multiple of 8 if `offset` is one. REQUIRES: they are inside the file.
  virtual std::string_view bytes(std::uint64_t offset, std::uint64_t size) const = 0;
  /// The same bytes, copied.
  virtual void copy(std::uint64_t offset, std::span<char> out) const {
    const std::string_view there = bytes(offset, out.size());
    std::copy(there.begin(), there.end(), out.begin());
  }
  /// Fetches what will be read soon in one round of parallel reads. Optional: reading fetches what is missing.
  virtual void prefetch(std::span<const FileRange> /*ranges*/) const {}
  /// Asked after reading: whether all that was read are the bytes that the file had when it was opened. A file that
  /// others can write to answers for itself; blocks that are checked as they come cannot change.
  virtual bool is_unchanged() const { return true; }
  /// Null if the file is in memory: then all reading is by `bytes`.
  virtual BlockTable* blocks() const { return nullptr; }
};

/// Where the bytes of a snapshot are written to, after its database.
class SnapshotOutput {
 public:
  virtual ~SnapshotOutput() = default;
  /// Reads back bytes of the ended database.
  virtual std::string read(std::uint64_t offset, std::uint64_t size) = 0;
  /// Adds bytes at the end of the file.
  virtual void append(std::string_view bytes) = 0;
};

/// The size of the SQLite database that starts with `header`, as the header says; 0: no database starts so.
/// https://www.sqlite.org/fileformat2.html, 1.3
std::uint64_t database_size(std::string_view header);

/// Nothing where the snapshot is not signed. Throws Failure for a file that does not end as a snapshot does.
std::optional<SignatureClaim> signature_claim(const SnapshotFile& file);

}  // namespace tonearm
