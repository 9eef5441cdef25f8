// Opens a connection to the tables of a snapshot. It must be closed before the snapshot is destroyed.
#include <tonearm/sqlite_snapshot.h>
#include "in_memory.h"

int main(int count, char** words) {
  if (count != 2) return 2;
  const example::SnapshotInMemory snapshot(words[1]);
  const tonearm::sql::SqliteHandle database = snapshot.connect();
  tonearm::sql::Statement statement(database.get(), "SELECT count(*) FROM sqlite_schema");
  return statement.step() && statement.integer(0) > 0 ? 0 : 1;
}
