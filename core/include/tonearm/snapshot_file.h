#pragma once
// The file of a snapshot as a host gives it: mapped by a server, fetched by an edge, held in memory by a test.

#include <cstdint>
#include <string_view>

#include "tonearm/sql.h"

namespace tonearm {

/// Bytes that never change while the object lives. Safe for concurrent calls.
class SnapshotFile {
 public:
  virtual ~SnapshotFile() = default;

  /// A new read-only connection to the database that the file begins with (`database_size` bytes), to be used by one
  /// thread at a time. Throws sql::Failure.
  virtual sql::SqliteHandle connect() const = 0;
  /// In bytes.
  virtual std::uint64_t size() const = 0;
  /// The bytes from `offset` on, which stay where they are as long as the object lives; in memory they begin at a
  /// multiple of 8 where `offset` is one. REQUIRES: they lie inside of the file.
  virtual std::string_view bytes(std::uint64_t offset, std::uint64_t size) const = 0;
};

/// How long the SQLite database is that begins with `header`, by what it says itself; 0: it begins with none.
/// https://www.sqlite.org/fileformat2.html, 1.3
std::uint64_t database_size(std::string_view header);

}  // namespace tonearm
