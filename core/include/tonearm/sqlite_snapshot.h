#pragma once
// A snapshot with SQLite beside it: the driver beside the ports `SnapshotFile` and `SnapshotOutput`. The core reads the
// tables of a snapshot and splits text into terms over its connections, so a host that opens or writes a snapshot gives
// one of these.

#include <cstdint>

#include "tonearm/snapshot_file.h"
#include "tonearm/sqlite.h"

namespace tonearm {

/// Safe for concurrent calls as far as its file is.
class SqliteSnapshot {
 public:
  virtual ~SqliteSnapshot() = default;

  /// The same file at every call, which lives as long as the object.
  virtual const SnapshotFile& file() const = 0;
  /// A new read-only connection to the database that the file begins with (`database_size` bytes), to be used by one
  /// thread at a time. The object outlives it. Throws Failure.
  virtual sql::SqliteHandle connect() const = 0;
};

/// Where a whole snapshot is written to: the database first.
class SqliteSnapshotOutput : public SnapshotOutput {
 public:
  /// A connection to the empty database that the file begins with (page size not yet set, nothing in it).
  virtual sqlite3* database() = 0;
  /// Closes it: its bytes are complete now. Returns their number.
  virtual std::uint64_t end_database() = 0;
};

}  // namespace tonearm
