// Reads the header of a snapshot without opening it. Views of its bytes are valid as long as the file object.
#include <tonearm/snapshot_file.h>
#include "in_memory.h"

int main(int count, char** words) {
  if (count != 2) return 2;
  const example::SnapshotInMemory snapshot(words[1]);
  const std::string_view header = snapshot.bytes(0, 100);
  return header.starts_with("SQLite format 3") && tonearm::database_size(header) < snapshot.size() &&
                 !tonearm::signature_claim(snapshot)
             ? 0
             : 1;
}
