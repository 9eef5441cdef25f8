// Finds the hashes of the blocks at the end of a snapshot, and checks them: they are not those of another hash
// function.
#include <tonearm/block_hashes.h>
#include "in_memory.h"

int main(int count, char** words) {
  if (count != 2) return 2;
  const example::SnapshotInMemory snapshot(words[1]);
  const auto end = snapshot.bytes(snapshot.size() - tonearm::kSnapshotEndBytes, tonearm::kSnapshotEndBytes);
  const auto offset = tonearm::BlockHashes::offset_in(end, snapshot.size());
  if (offset == 0 || offset % tonearm::kBlockBytes != 0) return 1;
  example::WeakHashing weak;
  try {
    tonearm::BlockHashes(std::string(snapshot.bytes(offset, snapshot.size() - offset)), snapshot.size(), weak);
    return 1;
  } catch (const tonearm::CatalogDamaged&) {
    return 0;
  }
}
