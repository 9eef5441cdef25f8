#include "api/answers/collection_lookup.h"

#include <utility>
#include <vector>

#include "api/answers/track_facts.h"
#include "tonearm/sql.h"

namespace tonearm::api {

void CollectionLookup::load(const Collection& collection) {
  if (!stored_) load_stored(collection.id);
  std::vector<std::string> ids;
  ids.reserve(collection.items.size());
  for (const CollectionItem& item : collection.items) ids.push_back(item.track_id);
  load(std::move(ids));
}

void CollectionLookup::load_stored(const std::string& collection) {
  if (!call_.collections.stores_tracks()) return;
  stored_.emplace(call_.collections.track_texts(call_.admitted.account, collection, catalog().version()));
  for (const FoundTrack& found : stored_->tracks()) {
    if (catalog().is_taken_down(found.position)) {  // since then: its JSON has changed (TAKEDOWN-2)
      has_outdated_ = true;
      continue;
    }
    add(*stored_ids_.insert(track_id(found.track)).first, found);
  }
}

void CollectionLookup::store(const Collection& collection) {
  if (!call_.collections.stores_tracks()) return;
  std::vector<FoundTrack> tracks;
  bool are_stored = true;
  for (const CollectionItem& item : collection.items) {
    const auto& found = at(item.track_id);
    if (!found || catalog().is_taken_down(found->position)) continue;
    tracks.push_back(*found);
    are_stored = are_stored && stored_ids_.contains(item.track_id);
  }
  if (are_stored && !has_outdated_) return;
  if (!catalog().is_unchanged()) return;  // HOST-27: nothing is stored from bytes that were not verified
  try {
    call_.collections.save_track_texts(call_.admitted.account, collection.id, catalog().version(),
                                       write_tracks(tracks));
    for (const FoundTrack& found : tracks) stored_ids_.insert(track_id(found.track));
    has_outdated_ = false;
  } catch (const sql::Failure&) {
    // Reading the state continues, even if it cannot be written (RECORD-10).
  }
}

}  // namespace tonearm::api
