#pragma once
// The sections `tracks`, `track_ends` and `ids`: what is rendered of each track, its neighbors, and its place by id.
// Constant, safe for concurrent use. Throws sql::Failure where the file is damaged.

#include <optional>
#include <string>
#include <vector>

#include "catalog/sections.h"
#include "tonearm/catalog.h"

namespace tonearm::catalog {

/// A track as it lies in the file.
struct StoredTrack {
  RenderedTrack rendered;
  std::span<const std::uint32_t> neighbors;  // positions, closest first
};

class TrackStore {
 public:
  /// The sections outlive the object.
  TrackStore(const Sections& sections, std::uint32_t size);

  /// Asks for tracks that will be read soon: tracks of a page lie anywhere, and their misses overlap so.
  /// Positions that there are not are passed over.
  void expect(std::span<const std::uint32_t> positions) const;
  /// REQUIRES: `position` is below the number of tracks.
  StoredTrack at(std::uint32_t position) const;
  std::optional<std::uint32_t> find(std::string_view id) const;

 private:
  void prefetch(std::span<const std::uint32_t> positions) const;
  FileRange range_of(std::uint32_t position) const;  // in the section

  Extent tracks_;
  Array<std::uint64_t> ends_;
  Array<std::uint32_t> slots_;
};

/// The id as it stands in the JSON. It needs no escape: ids are plain (C10).
std::string_view id_of(const RenderedTrack& track);

/// The bytes of a track in the section; a multiple of four.
std::string encode_track(std::string_view json, std::span<const std::uint32_t> offsets,
                         std::span<const std::uint32_t> neighbors);

}  // namespace tonearm::catalog
