#pragma once
// The sections `tracks`, `track_groups` and `ids`: what is rendered of each track, its neighbors, and its place by id.
// Constant, safe for concurrent use. Throws sql::Failure where the file is damaged.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "catalog/id_index.h"
#include "catalog/layout.h"
#include "catalog/sections.h"
#include "tonearm/catalog.h"

namespace tonearm::catalog {

/// A track as it lies in the file.
struct StoredTrack {
  RenderedTrack rendered;
  std::span<const std::uint32_t> neighbors;  // positions, closest first
};

/// Tracks of a group lie behind a table of where each of them ends: so many fewer places have to be at hand.
inline constexpr std::uint32_t kTracksOfGroup = 4;
/// Groups begin at multiples of this, in which their places are counted.
inline constexpr std::uint32_t kGroupUnit = 16;
/// Where each track of a group ends, in bytes from the begin of the group; the last one's again where it has fewer.
using GroupEnds = std::array<std::uint32_t, kTracksOfGroup>;

class TrackStore {
 public:
  /// The sections outlive the object.
  TrackStore(const Sections& sections, const Layout& layout);

  /// Tracks of a page lie anywhere: their misses overlap. Damaged where a position is no track's.
  std::vector<StoredTrack> at(std::span<const std::uint32_t> positions) const;
  /// REQUIRES: `position` is below the number of tracks.
  StoredTrack at(std::uint32_t position) const;
  std::optional<std::uint32_t> find(std::string_view id) const;

  /// Its id. As long as `at` says. REQUIRES: as `at`.
  std::string_view id_at(std::uint32_t position) const;
  /// These tracks will be read soon.
  void expect(std::span<const std::uint32_t> positions) const;

  /// For verification: that a track is as long as it says itself, and its group no longer than its tracks.
  void check_size(std::uint32_t position) const;
  /// As Catalog::look_up.
  std::vector<std::optional<FoundTrack>> look_up(std::span<const std::string> ids) const;
  /// The positions of those of the tracks with these ids that stand among `positions`; both upwards.
  std::vector<std::uint32_t> find_among(std::span<const std::string> ids,
                                        std::span<const std::uint32_t> positions) const;
  /// These ids will be looked up soon.
  void expect_ids(std::span<const std::string> ids) const { ids_.expect(ids); }

 private:
  void prefetch(std::span<const std::uint32_t> positions) const;
  FileRange range_of(std::uint32_t position) const;        // in the section
  FileRange range_of_group(std::uint32_t position) const;  // in the section
  std::optional<std::uint32_t> first_with(std::span<const std::uint32_t> positions, std::string_view id) const;

  Layout layout_;
  Extent tracks_;
  std::vector<std::uint32_t> kept_groups_;  // where the file is fetched by blocks
  Array<std::uint32_t> groups_;             // where each group begins
  IdIndex ids_;
};

/// The id as it stands in the JSON. It needs no escape: ids are plain (C10).
std::string_view id_of(const RenderedTrack& track);

/// The bytes of a track in the section; a multiple of four.
std::string encode_track(std::string_view json, std::span<const std::uint32_t> offsets,
                         std::span<const std::uint32_t> neighbors);

}  // namespace tonearm::catalog
