#include "domain/collection.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "text/unicode.h"
#include "text/visible.h"

namespace tonearm {
namespace {

constexpr std::string_view kIdPrefix = "col_";
constexpr std::string_view kBase32 = "abcdefghijklmnopqrstuvwxyz234567";
constexpr std::size_t kNamedMax = 5;  // ITEM-6
constexpr std::int64_t kSecondMs = 1'000;

std::string quoted(std::string_view id) { return '"' + text::quotable(id) + '"'; }

/// `"a", "b" and 3 more`
std::string id_list(const std::vector<std::string>& ids) {
  std::string list;
  for (std::size_t i = 0; i < std::min(ids.size(), kNamedMax); ++i) {
    if (i > 0) list += ", ";
    list += quoted(ids[i]);
  }
  if (ids.size() > kNamedMax) list += " and " + std::to_string(ids.size() - kNamedMax) + " more";
  return list;
}

/// The error for tracks that cannot be added because the catalog does not have them or they were taken down.
Error no_such_tracks(const std::vector<std::string>& unknown, const std::vector<std::string>& taken_down) {
  std::string message;
  if (!unknown.empty()) {
    message += unknown.size() == 1 ? "There is no track with the id " : "There are no tracks with the ids ";
    message += id_list(unknown) + '.';
  }
  if (!taken_down.empty()) {
    if (!message.empty()) message += ' ';
    message += taken_down.size() == 1 ? "The track " : "The tracks ";
    message += id_list(taken_down) + (taken_down.size() == 1 ? " was" : " were") + " taken down and cannot be added.";
  }
  return {ErrorCode::not_found, std::move(message)};
}

Error no_such_item(std::string_view track_id) {
  return {ErrorCode::not_found, "The collection has no track with the id " + quoted(track_id) + '.'};
}

/// CHECK-10 and CHECK-11.
std::optional<Error> check_edit(const Collection& collection, const Edit& edit) {
  if (edit.read_only) {
    return Error{ErrorCode::read_only,
                 "The collection is read-only because the Pro plan ended: only the one that was changed last can be "
                 "edited."};
  }
  return check_revision(collection.revision, edit.revision);
}

/// COLLECTION-7: increments the revision if anything changed.
Collection with_new_revision(const Collection& before, Collection after, const Edit& edit) {
  if (after == before) return after;
  ++after.revision;
  after.updated_s = edit.now_s;
  return after;
}

/// Returns the index of an item, or the number of items if there is no such item.
std::size_t position_of(const Collection& collection, std::string_view track_id) {
  const auto found = std::find_if(collection.items.begin(), collection.items.end(),
                                  [&](const CollectionItem& item) { return item.track_id == track_id; });
  return static_cast<std::size_t>(found - collection.items.begin());
}

std::unordered_set<std::string> members_of(const Collection& collection) {
  std::unordered_set<std::string> members;
  for (const CollectionItem& item : collection.items) members.insert(item.track_id);
  return members;
}

CollectionItem new_item(const TrackToAdd& track, std::int64_t now_s) {
  CollectionItem item{track.track_id, track.note, track.modifications, now_s, *track.record};
  item.record.recorded_s = now_s;
  item.has_receipt = !track.receipt.empty();
  item.receipt = track.receipt;
  return item;
}

/// Checks whether tracks that are not members yet can be added: CHECK-9 to CHECK-14.
std::optional<Error> check_tracks(const Collection& collection, const Edit& edit,
                                  const std::vector<const TrackToAdd*>& fresh) {
  std::vector<std::string> unknown;
  std::vector<std::string> taken_down;
  std::vector<std::string> non_commercial;
  for (const TrackToAdd* track : fresh) {
    if (!track->record) {
      (track->taken_down ? taken_down : unknown).push_back(track->track_id);
    } else if (!track->record->terms.commercial) {
      non_commercial.push_back(track->track_id);
    }
  }
  if (!unknown.empty() || !taken_down.empty()) return no_such_tracks(unknown, taken_down);
  if (auto error = check_edit(collection, edit)) return error;
  if (collection.items.size() + fresh.size() > kCollectionTracksMax) {
    return Error{ErrorCode::collection_full, "A collection holds at most " + std::to_string(kCollectionTracksMax) +
                                                 " tracks; this one has " + std::to_string(collection.items.size()) +
                                                 ", and " + std::to_string(fresh.size()) + " more do not fit."};
  }
  if (collection.commercial && !non_commercial.empty()) {
    return Error{ErrorCode::nc_commercial,
                 "The collection is commercial, and these tracks are for non-commercial use only: " +
                     id_list(non_commercial) + '.'};
  }
  return std::nullopt;
}

}  // namespace

std::string make_collection_id(std::span<const std::uint8_t, kCollectionIdBytes> random) {
  std::string id(kIdPrefix);
  for (const std::uint8_t byte : random) id += kBase32[byte & 31U];
  return id;
}

bool is_collection_id(std::string_view text) {
  return text.size() == kIdPrefix.size() + kCollectionIdBytes && text.starts_with(kIdPrefix) &&
         text.find_first_not_of(kBase32, kIdPrefix.size()) == std::string_view::npos;
}

std::string_view trimmed_name(std::string_view text) { return text::trimmed(text); }

bool is_collection_name(std::string_view text) {
  const std::string_view name = trimmed_name(text);
  const std::size_t length = text::code_points(name);
  if (length < 1 || length > kCollectionNameMax) return false;
  for (std::size_t at = 0; at < name.size();) {
    const char32_t c = text::next_code_point(name, at);
    if (text::is_control(c) || text::is_bidi_override(c)) return false;
  }
  return text::has_visible(name);
}

bool is_note(std::string_view text, std::size_t max) {
  if (text::code_points(text) > max) return false;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = text::next_code_point(text, at);
    if (text::is_control(c) && c != '\n' && c != '\r' && c != '\t') return false;
  }
  return true;
}

bool is_read_only(Plan plan, std::int64_t change_order, std::int64_t last_change_order) {
  return plan == Plan::free && change_order != last_change_order;
}

std::optional<Error> check_creation(Plan plan, std::size_t collections, std::size_t creations,
                                    std::int64_t retry_in_ms) {
  if (plan == Plan::free) {
    if (collections < kCollectionsOfFreePlan) return std::nullopt;
    return Error{ErrorCode::pro_required, "The Free plan has one collection; more of them need the Pro plan."};
  }
  if (collections >= kCollectionsMax) {
    return Error{ErrorCode::collection_limit, "The account has " + std::to_string(kCollectionsMax) +
                                                  " collections, which is as many as it may have."};
  }
  // LIMIT-12: the plan `unlimited` is `pro` without the limit on creating.
  if (plan == Plan::pro && creations >= kCreationsMax) {
    return Error{
        ErrorCode::collection_limit,
        "At most " + std::to_string(kCreationsMax) + " collections can be created in 60 minutes; try again later.",
        std::max<std::int64_t>((retry_in_ms + kSecondMs - 1) / kSecondMs, 1)};
  }
  return std::nullopt;
}

std::optional<Error> check_revision(std::int64_t revision, std::optional<std::int64_t> named) {
  if (!named || *named == revision) return std::nullopt;
  return Error{ErrorCode::stale_revision, "revision is " + std::to_string(revision) + " now, not " +
                                              std::to_string(*named) + ": read the collection again."};
}

Error no_such_collection() { return {ErrorCode::not_found, "There is no collection with this id."}; }

Result<Collection> with_settings(const Collection& collection, const Edit& edit, const Settings& settings,
                                 const std::set<std::string>& non_commercial_now) {
  if (auto error = check_edit(collection, edit)) return *std::move(error);
  Collection after = collection;
  if (settings.name) after.name = *settings.name;
  if (settings.commercial) after.commercial = *settings.commercial;
  if (after.commercial && !collection.commercial) {
    std::vector<std::string> non_commercial;
    for (const CollectionItem& item : collection.items) {
      const bool usable = item.record.terms.commercial && !non_commercial_now.contains(item.track_id);
      if (!usable) non_commercial.push_back(item.track_id);
    }
    if (!non_commercial.empty()) {
      return Error{ErrorCode::nc_commercial,
                   "commercial cannot be true: the collection holds tracks for non-commercial use only: " +
                       id_list(non_commercial) + '.'};
    }
  }
  return with_new_revision(collection, std::move(after), edit);
}

Result<WithTracks> with_tracks(const Collection& collection, const Edit& edit, const std::vector<TrackToAdd>& tracks) {
  WithTracks outcome;
  auto members = members_of(collection);
  std::vector<const TrackToAdd*> fresh;
  for (const TrackToAdd& track : tracks) {
    const bool is_new = members.insert(track.track_id).second;  // a repeated id counts as present
    if (is_new) fresh.push_back(&track);
    outcome.results.push_back({track.track_id, !is_new});
  }
  if (auto error = check_tracks(collection, edit, fresh)) return *std::move(error);
  Collection after = collection;
  for (const TrackToAdd* track : fresh) after.items.push_back(new_item(*track, edit.now_s));
  outcome.collection = with_new_revision(collection, std::move(after), edit);
  return outcome;
}

Result<Collection> with_item_changed(const Collection& collection, const Edit& edit, std::string_view track_id,
                                     const ItemChange& change) {
  const std::size_t from = position_of(collection, track_id);
  if (from == collection.items.size()) return no_such_item(track_id);
  if (auto error = check_edit(collection, edit)) return *std::move(error);
  Collection after = collection;
  CollectionItem& item = after.items[from];
  if (change.note) item.note = *change.note;
  if (change.modifications) item.modifications = *change.modifications;
  if (change.position) {
    const auto to = static_cast<std::size_t>(std::min<std::uint64_t>(*change.position, after.items.size() - 1));
    const auto at = [&](std::size_t index) { return after.items.begin() + static_cast<std::ptrdiff_t>(index); };
    if (to > from) std::rotate(at(from), at(from + 1), at(to + 1));
    if (to < from) std::rotate(at(to), at(from), at(from + 1));
  }
  return with_new_revision(collection, std::move(after), edit);
}

Result<Collection> without_item(const Collection& collection, const Edit& edit, std::string_view track_id) {
  const std::size_t position = position_of(collection, track_id);
  if (position == collection.items.size()) return no_such_item(track_id);
  if (auto error = check_edit(collection, edit)) return *std::move(error);
  Collection after = collection;
  after.items.erase(after.items.begin() + static_cast<std::ptrdiff_t>(position));
  return with_new_revision(collection, std::move(after), edit);
}

Result<Collection> reordered(const Collection& collection, const Edit& edit,
                             const std::vector<std::string>& track_ids) {
  if (auto error = check_edit(collection, edit)) return *std::move(error);
  std::unordered_map<std::string_view, const CollectionItem*> remaining;
  for (const CollectionItem& item : collection.items) remaining.emplace(item.track_id, &item);
  const auto invalid = [](const std::string& what) {
    return Error{ErrorCode::invalid_request, "tracks must name every track of the collection exactly once: " + what, 0,
                 "tracks"};
  };
  Collection after = collection;
  after.items.clear();
  for (const std::string& id : track_ids) {
    const auto found = remaining.find(id);
    if (found == remaining.end()) {
      const bool twice = position_of(collection, id) < collection.items.size();
      return invalid(quoted(id) + (twice ? " is named twice." : " is not in it."));
    }
    after.items.push_back(*found->second);
    remaining.erase(found);
  }
  if (remaining.empty()) return with_new_revision(collection, std::move(after), edit);
  std::vector<std::string> missing;
  for (const CollectionItem& item : collection.items) {
    if (remaining.contains(item.track_id)) missing.push_back(item.track_id);
  }
  return invalid(id_list(missing) + (missing.size() == 1 ? " is missing." : " are missing."));
}

}  // namespace tonearm
