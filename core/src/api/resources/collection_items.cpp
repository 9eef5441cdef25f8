// The items of a collection: add, change, remove, reorder (docs/spec/collections.md).

#include <algorithm>

#include "api/answers/collection_detail.h"
#include "api/answers/receipt_texts.h"
#include "api/answers/track_facts.h"
#include "api/resources/handlers.h"

namespace tonearm::api {
namespace {

/// Looks up tracks to add. A track that was taken down has no license record, because it cannot be added (TRACK-6).
std::vector<TrackToAdd> look_up_tracks(TrackLookup& lookup, std::vector<std::string> ids) {
  lookup.load(ids);
  const Catalog& catalog = lookup.catalog();
  std::vector<TrackToAdd> tracks(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto& found = lookup.at(ids[i]);
    tracks[i].taken_down = found && catalog.is_taken_down(found->position);
    if (found && !tracks[i].taken_down) {
      tracks[i].record = license_record(found->track, catalog.version());
    }
    tracks[i].track_id = std::move(ids[i]);
  }
  return tracks;
}

/// RECEIPT-7: makes the receipts to keep, of a signed catalog.
void add_receipts(const TrackLookup& lookup, Hashing& hashing, std::vector<TrackToAdd>& tracks) {
  if (!lookup.catalog().signature()) return;
  std::vector<TrackToAdd*> added;
  std::vector<std::uint32_t> positions;
  for (TrackToAdd& track : tracks) {
    if (!track.record) continue;
    added.push_back(&track);
    positions.push_back(lookup.at(track.track_id)->position);
  }
  auto receipts = receipt_texts(lookup.catalog(), positions, hashing);
  for (std::size_t i = 0; i < added.size(); ++i) added[i]->receipt = std::move(receipts[i]);
}

std::vector<TrackToAdd> tracks_to_add(TrackLookup& lookup, const table::ItemsBody& body) {
  if (body.tracks) return look_up_tracks(lookup, *body.tracks);
  auto tracks = look_up_tracks(lookup, {body.track});
  tracks.front().note = body.note;
  tracks.front().modifications = body.modifications;
  return tracks;
}

/// Loads the collection's tracks from a remote catalog before a change, for its answer. Tracks that another writer adds
/// in between are loaded after the change.
void load_tracks(Call& call, const std::string& collection, CollectionLookup& lookup) {
  if (call.catalog->is_in_memory()) return;
  if (const auto found = call.collections.find(call.admitted.account, collection)) lookup.load(found->value);
}

Answer answer_change(Call& call, const std::string& collection, const Edit& edit,
                     const state::CollectionChange& change) {
  CollectionLookup lookup(call);
  load_tracks(call, collection, lookup);
  const auto changed = call.collections.change(call.writer(), collection, edit, change);
  if (!changed) return changed.error();
  return CollectionDetail(*changed, lookup).response_to_write(call, call.route.status);
}

}  // namespace

Answer answer_items_add(Call& call, const table::CollectionArguments& arguments, const table::ItemsBody& body) {
  CollectionLookup lookup(call);
  std::vector<TrackToAdd> tracks = tracks_to_add(lookup, body);
  add_receipts(lookup, call.hashing, tracks);
  load_tracks(call, arguments.id, lookup);
  if (!call.catalog->is_unchanged()) return catalog_unavailable();  // HOST-27: before a license record is stored
  std::vector<AddedTrack> results;
  const auto add = [&](const Collection& collection, const Edit& edit) -> Result<Collection> {
    auto added = with_tracks(collection, edit, tracks);
    if (!added) return added.error();
    results = std::move(added->results);
    return std::move(added->collection);
  };
  const auto changed = call.collections.change(call.writer(), arguments.id, {.revision = body.revision}, add);
  if (!changed) return changed.error();
  const bool any_new =
      std::any_of(results.begin(), results.end(), [](const AddedTrack& it) { return !it.already_present; });
  const int status = any_new ? call.route.status : call.route.unchanged_status;
  return CollectionDetail(*changed, lookup).response_to_write(call, status, body.tracks ? &results : nullptr);
}

Answer answer_item_update(Call& call, const table::ItemArguments& arguments, const table::ItemChangeBody& body) {
  return answer_change(call, arguments.id, {.revision = body.revision},
                       [&](const Collection& collection, const Edit& edit) {
                         return with_item_changed(collection, edit, arguments.track_id, body.change);
                       });
}

Answer answer_item_delete(Call& call, const table::ItemDeleteArguments& arguments) {
  return answer_change(call, arguments.id, {.revision = arguments.revision},
                       [&](const Collection& collection, const Edit& edit) {
                         return without_item(collection, edit, arguments.track_id);
                       });
}

Answer answer_order_replace(Call& call, const table::CollectionArguments& arguments, const table::OrderBody& body) {
  return answer_change(
      call, arguments.id, {.revision = body.revision},
      [&](const Collection& collection, const Edit& edit) { return reordered(collection, edit, body.tracks); });
}

}  // namespace tonearm::api
