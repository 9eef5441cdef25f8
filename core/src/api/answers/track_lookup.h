#pragma once
// The tracks that a call looks up in the catalog, each once. Reading a remote catalog may fail, so a call that changes
// something loads the tracks of its answer before the change. Belongs to one call; not thread-safe.

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "tonearm/catalog.h"

namespace tonearm::api {

class TrackLookup {
 public:
  /// The catalog outlives the object.
  explicit TrackLookup(const Catalog& catalog) : catalog_(catalog) {}

  const Catalog& catalog() const { return catalog_; }
  /// Looks up the tracks that are not loaded yet, in one query. If it throws, the object cannot be used any more.
  void load(std::vector<std::string> ids);
  /// Takes a track that was found before instead of looking it up, unless it is loaded.
  void add(const std::string& id, const FoundTrack& found) { tracks_.try_emplace(id, found); }
  /// Empty: the catalog does not have the track. REQUIRES: the id was loaded.
  const std::optional<FoundTrack>& at(const std::string& id) const { return tracks_.at(id); }

 private:
  const Catalog& catalog_;
  std::unordered_map<std::string, std::optional<FoundTrack>> tracks_;
};

}  // namespace tonearm::api
