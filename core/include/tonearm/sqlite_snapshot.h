#pragma once
// Adds SQLite to the ports `SnapshotFile` and `SnapshotOutput`. The core reads the tables of a snapshot and tokenizes
// text over these connections, so a host that opens or writes snapshots implements them.

#include <cstdint>
#include <memory>

#include "tonearm/snapshot_file.h"
#include "tonearm/sqlite.h"

namespace tonearm {

/// As safe for concurrent calls as its file.
class SqliteSnapshot {
 public:
  virtual ~SqliteSnapshot() = default;

  /// Returns the same file at every call; it lives as long as the object.
  virtual const SnapshotFile& file() const = 0;
  /// Opens a read-only connection to the database at the start of the file (`database_size` bytes), for use by one
  /// thread at a time. The object must outlive it. Throws Failure.
  virtual sql::SqliteHandle connect() const = 0;
};

/// The destination of a whole snapshot: the database first.
class SqliteSnapshotOutput : public SnapshotOutput {
 public:
  /// The connection to the empty database at the start of the file (page size not yet set, no tables).
  virtual sqlite3* database() = 0;
  /// Closes the database, whose bytes are complete now. Returns their number.
  virtual std::uint64_t end_database() = 0;
  /// Returns the file as written so far, in memory. REQUIRES: the database is closed; nothing is appended during the
  /// result's life.
  virtual std::unique_ptr<const SnapshotFile> written() = 0;
};

}  // namespace tonearm
