#pragma once
// The file of a snapshot as a host gives it: mapped by a server, held in memory by a test, fetched block by block by an
// edge.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tonearm/sql.h"

namespace tonearm {

/// The unit in which a file that does not lie in memory is fetched and checked.
inline constexpr std::uint64_t kBlockBytes = 64 * 1024;

struct FileRange {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

/// The blocks of a file that are at hand, for reading single values. Of one thread.
class BlockTable {
 public:
  virtual ~BlockTable() = default;
  /// The bytes from `offset` on, up to the end of their block; valid until the next call of anything. REQUIRES: they
  /// lie inside of the file.
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

  std::vector<const char*> blocks_;  // null: not at hand
  std::vector<std::uint8_t> used_;   // since whoever drops blocks last looked
};

/// Bytes that never change while the object lives. Safe for concurrent calls where all of them lie in memory.
class SnapshotFile {
 public:
  virtual ~SnapshotFile() = default;

  /// A new read-only connection to the database that the file begins with (`database_size` bytes), to be used by one
  /// thread at a time. Throws sql::Failure.
  virtual sql::SqliteHandle connect() const = 0;
  /// In bytes.
  virtual std::uint64_t size() const = 0;
  /// The bytes from `offset` on, which stay where they are as long as the object lives; where the file does not lie in
  /// memory, until the end of the request that read them. In memory they begin at a multiple of 8 where `offset` is
  /// one. REQUIRES: they lie inside of the file.
  virtual std::string_view bytes(std::uint64_t offset, std::uint64_t size) const = 0;
  /// The same bytes, copied.
  virtual void copy(std::uint64_t offset, std::span<char> out) const {
    const std::string_view there = bytes(offset, out.size());
    std::copy(there.begin(), there.end(), out.begin());
  }
  /// What will be read soon, so that it comes in one journey. Nobody has to.
  virtual void expect(std::span<const FileRange> /*ranges*/) const {}
  /// Null where the file lies in memory: `bytes` is all that there is to reading then.
  virtual BlockTable* blocks() const { return nullptr; }
};

/// How long the SQLite database is that begins with `header`, by what it says itself; 0: it begins with none.
/// https://www.sqlite.org/fileformat2.html, 1.3
std::uint64_t database_size(std::string_view header);

}  // namespace tonearm
