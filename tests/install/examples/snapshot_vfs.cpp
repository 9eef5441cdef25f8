// Lets SQLite read the tables of a snapshot that is only in memory.
#include <tonearm/snapshot_vfs.h>
#include "in_memory.h"

int main(int count, char** words) {
  if (count != 2) return 2;
  const example::SnapshotInMemory snapshot(words[1]);
  static sqlite3_vfs vfs = tonearm::snapshot_vfs(*sqlite3_vfs_find(nullptr), "example");
  if (sqlite3_vfs_register(&vfs, 0) != SQLITE_OK) return 1;
  const auto database = tonearm::sql::open_sqlite(tonearm::vfs_name(snapshot.file()),
                                                  tonearm::sql::OpenMode::read_only_immutable, "example");
  tonearm::sql::Statement statement(database.get(), "SELECT count(*) FROM sqlite_schema");
  return statement.step() && statement.integer(0) > 0 ? 0 : 1;
}
