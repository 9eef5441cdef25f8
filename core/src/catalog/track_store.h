#pragma once
// The sections `tracks`, `track_ends` and `ids`: what is rendered of each track, its neighbors, and its place by id.
// Constant, safe for concurrent use. Throws sql::Failure where the file is damaged.

#include <optional>
#include <string>
#include <vector>

#include "catalog/layout.h"
#include "catalog/sections.h"
#include "tonearm/catalog.h"

namespace tonearm::catalog {

/// A track as it lies in the file.
struct StoredTrack {
  RenderedTrack rendered;
  std::span<const std::uint32_t> neighbors;  // positions, closest first
};

/// Readers that fetch blocks find a track by walking its group: so many fewer places have to be at hand.
inline constexpr std::uint32_t kTracksOfGroup = 8;

class TrackStore {
 public:
  /// The sections outlive the object.
  TrackStore(const Sections& sections, const Layout& layout);

  /// Tracks of a page lie anywhere: their misses overlap. Damaged where a position is no track's.
  std::vector<StoredTrack> at(std::span<const std::uint32_t> positions) const;
  /// REQUIRES: `position` is below the number of tracks.
  StoredTrack at(std::uint32_t position) const;
  std::optional<std::uint32_t> find(std::string_view id) const;

  /// For verification: that the group of a track begins where its first one does, and sizes lead from one to the next.
  void check_group(std::uint32_t position) const;
  /// As Catalog::look_up.
  std::vector<std::optional<FoundTrack>> look_up(std::span<const std::string> ids) const;
  /// The positions of those of the tracks with these ids that stand among `positions`; both upwards. `beside`: what
  /// else of the file will be read soon.
  std::vector<std::uint32_t> find_among(std::span<const std::string> ids, std::span<const std::uint32_t> positions,
                                        std::vector<FileRange> beside) const;
  /// Ids that will be looked up soon.
  void expect_ids(std::span<const std::string> ids) const;

 private:
  void expect(std::span<const std::uint32_t> positions, std::vector<FileRange> beside = {}) const;
  void prefetch(std::span<const std::uint32_t> positions) const;
  FileRange range_of(std::uint32_t position) const;        // in the section
  FileRange range_of_group(std::uint32_t position) const;  // in the section
  bool has_id(std::uint32_t position, std::string_view id) const;
  /// The positions of the tracks that may have an id, the likeliest first.
  std::vector<std::uint32_t> candidates(std::string_view id) const;
  /// How far a position is from where a track with this hash of its id should stand.
  std::uint32_t surprise(std::uint32_t position, std::uint64_t hash) const;
  std::string_view bytes_at(std::uint32_t position) const;

  Layout layout_;
  Extent tracks_;
  Array<std::uint64_t> ends_;
  std::vector<std::uint64_t> kept_groups_;  // where the file is fetched by blocks
  Array<std::uint64_t> groups_;
  Array<std::uint32_t> slots_;
};

/// The id as it stands in the JSON. It needs no escape: ids are plain (C10).
std::string_view id_of(const RenderedTrack& track);

/// The bytes of a track in the section; a multiple of four.
std::string encode_track(std::string_view json, std::span<const std::uint32_t> offsets,
                         std::span<const std::uint32_t> neighbors);

}  // namespace tonearm::catalog
