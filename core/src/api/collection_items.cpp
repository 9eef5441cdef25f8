// The items of a collection: add, change, remove, reorder (catalog-api, Collections; C6).

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value_to.hpp>

#include "api/body.h"
#include "api/call.h"
#include "api/collection_detail.h"
#include "api/track_facts.h"

namespace tonearm::api {
namespace {

namespace json = boost::json;

/// The string of a member; null and none give the empty one.
std::string text_of(const json::object& object, std::string_view name) {
  const auto* value = object.if_contains(name);
  return value == nullptr || value->is_null() ? std::string() : json::value_to<std::string>(*value);
}

Modifications modifications_of(const json::value& value) {
  Modifications modifications;
  const auto* object = value.if_object();
  if (object == nullptr) return modifications;
  modifications.text = text_of(*object, "text");
  const auto* chips = object->if_contains("chips");
  if (chips == nullptr) return modifications;
  for (std::size_t i = 0; i < kChipNames.size(); ++i) {
    const auto is_named = [&](const json::value& chip) { return std::string_view(chip.get_string()) == kChipNames[i]; };
    modifications.chips[i] = std::any_of(chips->get_array().begin(), chips->get_array().end(), is_named);
  }
  return modifications;
}

Edit edit_of(const json::object& body) {
  Edit edit;
  if (const auto* revision = body.if_contains("revision")) edit.revision = revision->get_int64();
  return edit;
}

std::vector<std::string> texts_of(const json::value& array) {
  std::vector<std::string> texts;
  for (const json::value& text : array.get_array()) texts.push_back(json::value_to<std::string>(text));
  return texts;
}

/// What the catalog has of tracks that are to be added; one that was taken down cannot be (C10).
std::vector<TrackToAdd> facts_of(KnownTracks& known, std::vector<std::string> ids) {
  known.learn(ids);
  const Catalog& catalog = known.catalog();
  std::vector<TrackToAdd> tracks(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto& found = known.at(ids[i]);
    if (found && !catalog.is_taken_down(found->position)) {
      tracks[i].record = license_record(found->track, catalog.version());
    }
    tracks[i].track_id = std::move(ids[i]);
  }
  return tracks;
}

std::vector<TrackToAdd> tracks_to_add(KnownTracks& known, const json::object& body) {
  if (const auto* several = body.if_contains("tracks")) return facts_of(known, texts_of(*several));
  auto tracks = facts_of(known, {json::value_to<std::string>(body.at("track"))});
  TrackToAdd& track = tracks.front();
  track.note = text_of(body, "note");
  if (const auto* modifications = body.if_contains("modifications")) {
    track.modifications = modifications_of(*modifications);
  }
  return tracks;
}

/// Before a change, what the answer will need of a catalog that is far. Another writer's tracks are learned after it.
void learn_members(Call& call, KnownTracks& known) {
  if (call.catalog->is_in_memory()) return;
  if (const auto found = call.collections.find(call.admitted.account, call.arguments[0])) known.learn(found->value);
}

ItemChange item_change_of(const json::object& body) {
  ItemChange change;
  if (body.contains("note")) change.note = text_of(body, "note");
  if (const auto* modifications = body.if_contains("modifications")) {
    change.modifications = modifications_of(*modifications);
  }
  if (const auto* position = body.if_contains("position")) {
    change.position = static_cast<std::uint64_t>(position->get_int64());
  }
  return change;
}

Answer answer_change(Call& call, const Edit& edit, const state::CollectionChange& change) {
  KnownTracks known(*call.catalog);
  learn_members(call, known);
  const auto changed = call.collections.change(call.admitted.account, call.arguments[0], edit, change);
  if (!changed) return changed.error();
  return json_response(200, CollectionDetail(*changed, known).json());
}

}  // namespace

Answer answer_items_add(Call& call) {
  const auto body = parse_body(call.request, *call.route.body);
  if (!body) return body.error();
  KnownTracks known(*call.catalog);
  const std::vector<TrackToAdd> tracks = tracks_to_add(known, *body);
  learn_members(call, known);
  std::vector<AddedTrack> results;
  const auto add = [&](const Collection& collection, const Edit& edit) -> Result<Collection> {
    auto added = with_tracks(collection, edit, tracks);
    if (!added) return added.error();
    results = std::move(added->results);
    return std::move(added->collection);
  };
  const auto changed = call.collections.change(call.admitted.account, call.arguments[0], edit_of(*body), add);
  if (!changed) return changed.error();
  const bool any_new =
      std::any_of(results.begin(), results.end(), [](const AddedTrack& it) { return !it.already_present; });
  const int status = any_new ? call.route.status : 200;
  const CollectionDetail detail(*changed, known);
  return json_response(status, body->contains("tracks") ? detail.json_with(results) : detail.json());
}

Answer answer_item_update(Call& call) {
  const auto body = parse_body(call.request, *call.route.body);
  if (!body) return body.error();
  const ItemChange wanted = item_change_of(*body);
  return answer_change(call, edit_of(*body), [&](const Collection& collection, const Edit& edit) {
    return with_item_changed(collection, edit, call.arguments[1], wanted);
  });
}

Answer answer_item_delete(Call& call) {
  return answer_change(call, {}, [&](const Collection& collection, const Edit& edit) {
    return without_item(collection, edit, call.arguments[1]);
  });
}

Answer answer_order_replace(Call& call) {
  const auto body = parse_body(call.request, *call.route.body);
  if (!body) return body.error();
  const std::vector<std::string> order = texts_of(body->at("tracks"));
  return answer_change(call, edit_of(*body), [&](const Collection& collection, const Edit& edit) {
    return reordered(collection, edit, order);
  });
}

}  // namespace tonearm::api
