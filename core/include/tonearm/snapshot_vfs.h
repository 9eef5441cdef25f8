#pragma once
// Lets SQLite read snapshots that are not files of the operating system, such as those of which only some blocks have
// arrived.

#include <sqlite3.h>

#include <string>

#include "tonearm/snapshot_file.h"

namespace tonearm {

/// Returns `base` with other files: only snapshots, which can only be read. A read that throws is SQLITE_IOERR_READ, so
/// the caller of SQLite asks the snapshot for the reason. `name`: the name of the VFS, a literal.
sqlite3_vfs snapshot_vfs(const sqlite3_vfs& base, const char* name);

/// Returns the name by which such a VFS opens a snapshot. Valid while the snapshot exists.
std::string vfs_name(const SnapshotFile& file);

}  // namespace tonearm
