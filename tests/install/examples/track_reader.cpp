// Reads tracks one at a time.
#include <tonearm/track_reader.h>

#include <vector>

int main() {
  std::vector<tonearm::Track> tracks(2);
  tracks[1].id = "x-1";
  const tonearm::TracksInMemory reader(tracks);
  return reader.size() == 2 && reader.read(1).id == "x-1" ? 0 : 1;
}
