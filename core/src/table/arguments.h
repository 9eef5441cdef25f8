#pragma once
// The path and query parameters of each route, as plain structs, and the rows that state which parameter fills which
// member. Members whose parameters are absent keep their initial values.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reflection/parameters.h"
#include "tonearm/search.h"

namespace tonearm::table {

/// Inclusive bounds, in thousandths.
struct Bounds {
  std::optional<std::uint64_t> min_bpm;
  std::optional<std::uint64_t> max_bpm;
  std::optional<std::uint64_t> min_seconds;
  std::optional<std::uint64_t> max_seconds;
};

/// The filters of a list of similar tracks.
struct NeighborFilters {
  enum class Credit : std::uint8_t { optional, requested };

  Bounds bounds;
  std::optional<bool> commercial;
  std::optional<Credit> credit;
  bool loops_only = false;
  std::optional<Vocals> vocals;
};

struct SearchArguments {
  SearchQuery query;  // without `bounds`, which api/requests/search_parameters.h adds
  Bounds bounds;
  std::vector<std::string> fields;   // paths of a track; empty: all
  std::vector<CountedFacet> facets;  // the facets whose values are counted
};
struct MetaArguments {
  std::string q;
  std::uint32_t limit = 50;
};
struct CompleteArguments {
  std::string q;
  Kind kind = Kind::music;
  std::uint32_t limit = 8;
};
struct TrackArguments {
  std::string id;
};
struct TracksArguments {
  std::vector<std::string> ids;
  std::vector<std::string> fields;  // paths of a track; empty: all
};
struct SimilarArguments {
  std::string id;
  NeighborFilters filters;
  std::uint32_t limit = 20;
  std::uint32_t cursor = 0;
};

struct CollectionArguments {
  std::string id;
};
struct CollectionDeleteArguments {
  std::string id;
  bool confirm = false;
  std::optional<std::int64_t> revision;
};
struct ItemArguments {
  std::string id;
  std::string track_id;
};
struct ItemDeleteArguments {
  std::string id;
  std::string track_id;
  std::optional<std::int64_t> revision;
};
struct CreditsArguments {
  std::string id;
  std::size_t format = 0;  // index into kCreditsFormats
  std::string heading;     // empty: the default
};
struct LicenseChangesArguments {
  std::uint32_t limit = 50;
  std::uint32_t cursor = 0;
};
struct ChangesArguments {
  std::string since;
  std::uint32_t limit = 100;
  std::uint32_t cursor = 0;
};
struct CollectionSimilarArguments {
  std::string id;
  std::vector<std::string> seeds;
  bool include_members = false;
  NeighborFilters filters;
  std::uint32_t limit = 20;
  std::uint32_t cursor = 0;
};

struct AccountArguments {
  std::string account;
};
struct AccountsArguments {
  std::uint32_t limit = 1'000;
  std::string cursor;  // empty: from the start
};
struct KeyArguments {
  std::string key_id;
};
struct TakeDownArguments {
  std::string track_id;
};
struct TakeDownsArguments {
  std::uint32_t limit = 1'000;
  std::string cursor;  // empty: from the start
};
struct ExportArguments {
  std::string account;
  std::string cursor;
};
struct OwnExportArguments {
  std::string cursor;
};
struct CallsArguments {
  std::string account;
  std::uint32_t limit = 100;
};

extern const Parameters<SearchArguments> kSearchParameters;
extern const Parameters<MetaArguments> kMetaParameters;
extern const Parameters<CompleteArguments> kCompleteParameters;
extern const Parameters<TrackArguments> kTrackParameters;
extern const Parameters<TracksArguments> kTracksParameters;
extern const Parameters<SimilarArguments> kSimilarParameters;
extern const Parameters<CollectionArguments> kCollectionParameters;
extern const Parameters<CollectionDeleteArguments> kCollectionDeleteParameters;
extern const Parameters<ItemArguments> kItemParameters;
extern const Parameters<ItemDeleteArguments> kItemDeleteParameters;
extern const Parameters<CreditsArguments> kCreditsParameters;
extern const Parameters<LicenseChangesArguments> kLicenseChangesParameters;
extern const Parameters<ChangesArguments> kChangesParameters;
extern const Parameters<CollectionSimilarArguments> kCollectionSimilarParameters;
extern const Parameters<AccountArguments> kAccountParameters;
extern const Parameters<AccountsArguments> kAccountsParameters;
extern const Parameters<KeyArguments> kKeyParameters;
extern const Parameters<TakeDownArguments> kTakeDownParameters;
extern const Parameters<TakeDownsArguments> kTakeDownsParameters;
extern const Parameters<CallsArguments> kCallsParameters;
extern const Parameters<ExportArguments> kExportParameters;
extern const Parameters<OwnExportArguments> kOwnExportParameters;

}  // namespace tonearm::table
