// Reads the manifest of a snapshot without opening the catalog.
#include <tonearm/snapshot_writer.h>
#include "in_memory.h"

int main(int count, char** words) {
  if (count != 2) return 2;
  const example::SnapshotInMemory snapshot(words[1]);
  const auto manifest = tonearm::snapshot_manifest(snapshot);
  return manifest.at("profile") == "catalog" && manifest.contains("content_hash") ? 0 : 1;
}
