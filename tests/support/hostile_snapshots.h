#pragma once
// Snapshots that try to make a reader hang, crash or exhaust memory: database pages that point at each other, endless
// chains, absurd counts. All their hashes match.

#include <string>
#include <vector>

namespace tonearm::test {

struct HostileSnapshot {
  std::string name;  // usable as a file name
  std::string bytes;
  bool is_sound = false;  // readers may accept it: they never read the hostile part
};

/// Derives them from a sound, small snapshot: each table of its database must fit on one page. Throws std::logic_error.
std::vector<HostileSnapshot> hostile_snapshots(const std::string& sound);

}  // namespace tonearm::test
