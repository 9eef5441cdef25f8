#pragma once
// Snapshots made by someone who wants a reader to hang, to crash or to fill the memory: pages of the database that
// point at each other, chains without an end, counts that are absurd. All their hashes match.

#include <string>
#include <vector>

namespace tonearm::test {

struct HostileSnapshot {
  std::string name;  // good for a file
  std::string bytes;
  bool is_sound = false;  // whoever reads it may take it for a sound one: what is hostile in it is never read
};

/// Made from a sound snapshot that is small: each table of its database fits on one page. Throws std::logic_error.
std::vector<HostileSnapshot> hostile_snapshots(const std::string& sound);

}  // namespace tonearm::test
