#pragma once
// What the catalog has of tracks, looked up once in a call. Where the catalog is remote, reading it may fail: so what
// the answer to a change needs is looked up before the change. Of one call; not to be shared between threads.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "domain/collection.h"
#include "tonearm/catalog.h"

namespace tonearm::api {

class KnownTracks {
 public:
  /// The catalog outlives the object.
  explicit KnownTracks(const Catalog& catalog) : catalog_(catalog) {}

  const Catalog& catalog() const { return catalog_; }
  /// Looks up those that are not known yet, all of them together.
  void learn(std::vector<std::string> ids);
  void learn(const Collection& collection);
  /// Nothing where the catalog has no such track. REQUIRES: it was learned.
  const std::optional<FoundTrack>& at(const std::string& id) const { return known_.at(id); }

 private:
  const Catalog& catalog_;
  std::map<std::string, std::optional<FoundTrack>> known_;
};

}  // namespace tonearm::api
