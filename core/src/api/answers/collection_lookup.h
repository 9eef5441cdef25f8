#pragma once
// The tracks of a collection that a call reads, from the state if the host has stored them there (HOST-63). Belongs to
// one call; not thread-safe.

#include <optional>
#include <string>
#include <unordered_set>

#include "api/answers/stored_tracks.h"
#include "api/answers/track_lookup.h"
#include "api/requests/call.h"
#include "domain/collection.h"

namespace tonearm::api {

class CollectionLookup : public TrackLookup {
 public:
  /// The call has a catalog, and outlives the object.
  explicit CollectionLookup(const Call& call) : TrackLookup(*call.catalog), call_(call) {}

  using TrackLookup::load;
  /// Loads the tracks of the collection. REQUIRES: all calls are about the same collection.
  void load(const Collection& collection);
  /// Stores the tracks of the loaded collection if the host does so and what is stored is not complete or was taken
  /// down. Ignores a failure, because later calls look the tracks up again. Must not be called in a transaction.
  void store(const Collection& collection);

 private:
  void load_stored(const std::string& collection);

  const Call& call_;
  std::optional<StoredTracks> stored_;
  std::unordered_set<std::string> stored_ids_;
  bool has_outdated_ = false;  // whether a stored track was taken down since
};

}  // namespace tonearm::api
