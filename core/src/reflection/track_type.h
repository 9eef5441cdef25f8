#pragma once
// The type of a track, and a track's JSON with the offset of every path that `fields` accepts.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reflection/object_type.h"
#include "tonearm/catalog.h"
#include "tonearm/track.h"

namespace tonearm::table {

/// A track, with what a catalog adds to its JSON.
struct TrackView {
  const Track& track;
  std::string_view site_url;
  std::optional<std::uint32_t> variants = std::nullopt;  // in a search that collapses variants (SEARCH-12)
};

extern const Type<TrackView> kTrackType;
/// A Track, or the fields of it that the parameter `fields` names.
extern const Type<TrackView> kTrackPartType;
/// Like kTrackPartType, in a search: if variants are collapsed, also the number of tracks that it represents.
extern const Type<TrackView> kFoundTrackType;
inline constexpr std::string_view kVariantsField = "variants";
/// The fields of a Track that a license receipt proves (RECEIPT-2).
extern const Type<TrackView> kLicensedTrackType;

// Values of fields that are in license records too.
inline constexpr std::array<std::string_view, 2> kCreditNames{"none", "required"};
inline constexpr std::array<std::string_view, 2> kStatusNames{"verified", "listed"};
inline constexpr std::array<std::string_view, 3> kAttributionNames{"optional", "requested", "required"};
inline std::string_view credit_name(bool required) { return kCreditNames[required ? 1 : 0]; }
inline std::string_view status_name(LicenseStatus status) { return to_string(status); }
inline std::string_view attribution_name(Attribution value) { return to_string(value); }

/// Returns every path that `fields` accepts, parents before their children, in the order of the type:
/// "id", ..., "tags", "tags.genre", ... Constant, thread-safe.
const std::vector<std::string>& track_paths();

/// Returns the index of a path, or the number of paths if tracks have no such one.
std::size_t track_path(std::string_view path);
/// Whether all offsets are inside the JSON, and no value ends before it begins.
bool has_valid_offsets(const RenderedTrack& track);
/// Returns the JSON of the value at a path, by its index. REQUIRES: its parent is not null.
std::string_view value_at(const RenderedTrack& track, std::size_t path);

/// A track's JSON, with the offsets of every path in it.
struct TrackJson {
  std::string json;
  std::vector<std::uint32_t> offsets;  // as in RenderedTrack
};
TrackJson render_track(const Track& track, std::string_view site_url);

/// Returns the license record of a track: the JSON of kLicensedTrackType, exactly the bytes that the snapshot's tree
/// hashes.
std::string license_record(const RenderedTrack& track);

}  // namespace tonearm::table
