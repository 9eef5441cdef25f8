#pragma once
// A collection as a plain value, and every change that can be made to it (docs/spec/collections.md). A change takes the
// current collection and returns the changed one, or the Error to answer with: the first of CHECK-9 to CHECK-14 that
// applies. Does not access storage or a catalog. Pure, thread-safe.
//
//   const Edit edit{.read_only = false, .revision = 3, .now_s = now};
//   const auto changed = without_item(collection, edit, "example-7");
//   if (!changed) return changed.error();  // not_found, read_only, stale_revision

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "domain/modifications.h"
#include "domain/plan.h"
#include "tonearm/license.h"
#include "tonearm/result.h"

namespace tonearm {

// LIMIT-11, LIMIT-12.
inline constexpr std::size_t kCollectionTracksMax = 500;
inline constexpr std::size_t kCollectionsMax = 1'000;
inline constexpr std::size_t kCollectionsOfFreePlan = 1;
inline constexpr std::size_t kCreationsMax = 60;
inline constexpr std::int64_t kCreationsWindowMs = 3'600'000;
inline constexpr std::size_t kCollectionNameMax = 80;
inline constexpr std::size_t kNoteMax = 500;
inline constexpr std::size_t kModificationTextMax = 200;

/// Bytes of randomness in a collection's id: one for each character after `col_` (COLLECTION-1).
inline constexpr std::size_t kCollectionIdBytes = 26;

/// The terms of a license. A license has changed if these differ (ITEM-3).
struct LicenseTerms {
  std::string license_id;
  bool commercial = false;
  bool credit_required = false;
  bool share_alike = false;
  Attribution attribution = Attribution::optional;

  friend bool operator==(const LicenseTerms&, const LicenseTerms&) = default;
};

/// What the catalog stated about a track when it was added: evidence, never changed (ITEM-2).
struct LicenseRecord {
  LicenseTerms terms;
  std::string license_name;
  std::string license_url;  // empty: null
  LicenseStatus license_status = LicenseStatus::listed;
  std::string credit_line;
  std::string title;
  std::string artist;
  std::string credit_as;    // empty: null
  std::string source_page;  // empty: null
  std::string catalog_version;
  std::int64_t recorded_s = 0;  // Unix seconds

  friend bool operator==(const LicenseRecord&, const LicenseRecord&) = default;
};

struct CollectionItem {
  std::string track_id;
  std::string note;  // empty: null
  Modifications modifications;
  std::int64_t added_s = 0;  // Unix seconds
  LicenseRecord record;
  bool has_receipt = false;  // RECEIPT-7
  std::string receipt = {};  // as JSON; empty unless it is needed

  friend bool operator==(const CollectionItem&, const CollectionItem&) = default;
};

struct Collection {
  std::string id;
  std::string name;
  bool commercial = false;
  std::int64_t revision = 1;
  std::int64_t created_s = 0;  // Unix seconds
  std::int64_t updated_s = 0;
  std::vector<CollectionItem> items;  // an item's position is its index

  friend bool operator==(const Collection&, const Collection&) = default;
};

/// `col_` and 26 lower-case base32 characters (COLLECTION-1).
std::string make_collection_id(std::span<const std::uint8_t, kCollectionIdBytes> random);
bool is_collection_id(std::string_view text);

// The strings that a request may set (COLLECTION-6, ITEM-9). REQUIRES: UTF-8.
/// Removes white space around a name.
std::string_view trimmed_name(std::string_view text);
/// A trimmed name has 1 to 80 code points and no control or bidi-override character.
bool is_collection_name(std::string_view text);
/// A note has at most `max` code points, and no control characters except line breaks and tabs.
bool is_note(std::string_view text, std::size_t max);

/// COLLECTION-10: returns whether a collection can only be read, exported and deleted. `change_order` is its rank in
/// the order of changes, `last_change_order` the highest rank of the account's collections.
bool is_read_only(Plan plan, std::int64_t change_order, std::int64_t last_change_order);

/// COLLECTION-9: returns an error if an account cannot create another collection. `collections`: how many it has;
/// `creations`: how many it created in the last 60 minutes; `retry_in_ms`: when fewer than `kCreationsMax` of these
/// will be that recent (COLLECTION-15).
std::optional<Error> check_creation(Plan plan, std::size_t collections, std::size_t creations,
                                    std::int64_t retry_in_ms);

/// What every change is checked with.
struct Edit {
  bool read_only = false;
  std::optional<std::int64_t> revision = std::nullopt;  // the one that the request names
  std::int64_t now_s = 0;                               // Unix seconds
};

/// The error for a collection that does not exist.
Error no_such_collection();

/// CHECK-11: returns an error if a request names another revision than the current one.
std::optional<Error> check_revision(std::int64_t revision, std::optional<std::int64_t> named);

struct Settings {
  std::optional<std::string> name;  // REQUIRES: trimmed, is_collection_name
  std::optional<bool> commercial;
};
/// `non_commercial_now`: ids of the members whose current license does not allow commercial use. Non-commercial tracks
/// are an error only if the collection becomes commercial (COLLECTION-11). Errors: read_only, stale_revision,
/// nc_commercial.
Result<Collection> with_settings(const Collection& collection, const Edit& edit, const Settings& settings,
                                 const std::set<std::string>& non_commercial_now);

/// A track to add. Its record is empty if the catalog has no such track or it was taken down.
struct TrackToAdd {
  std::string track_id;
  std::optional<LicenseRecord> record;  // `recorded_s` is set by `with_tracks`
  std::string note;
  Modifications modifications;
  bool taken_down = false;   // the reason if there is no record (TRACK-6)
  std::string receipt = {};  // to keep with the item, as JSON; empty: none
};
struct AddedTrack {
  std::string track_id;
  bool already_present = false;
};
struct WithTracks {
  Collection collection;
  std::vector<AddedTrack> results;  // one for each requested track, in the same order
};
/// Adds all tracks or none. Does not change a track that is already present (ITEM-4). Errors: not_found (naming up to
/// five), read_only, stale_revision, collection_full, nc_commercial.
Result<WithTracks> with_tracks(const Collection& collection, const Edit& edit, const std::vector<TrackToAdd>& tracks);

/// The changes to an item. Absent members do not change it.
struct ItemChange {
  std::optional<std::string> note;             // REQUIRES: is_note; empty clears
  std::optional<Modifications> modifications;  // empty clears
  std::optional<std::uint64_t> position;       // past the end: last (ITEM-7)
};
/// Errors: not_found, read_only, stale_revision.
Result<Collection> with_item_changed(const Collection& collection, const Edit& edit, std::string_view track_id,
                                     const ItemChange& change);
/// Errors: not_found, read_only, stale_revision.
Result<Collection> without_item(const Collection& collection, const Edit& edit, std::string_view track_id);
/// `track_ids` names every member exactly once (ITEM-11). Errors: read_only, stale_revision, invalid_request.
Result<Collection> reordered(const Collection& collection, const Edit& edit, const std::vector<std::string>& track_ids);

}  // namespace tonearm
