#pragma once
// The sections `tracks` and `track_blocks`: the rendered JSON of each track, and its neighbors. Constant, safe for
// concurrent use. Throws Failure if the file is damaged.

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/index/layout.h"
#include "catalog/storage/sections.h"
#include "tonearm/catalog.h"

namespace tonearm::catalog {

/// A track as the file stores it.
struct StoredTrack {
  RenderedTrack rendered;
  std::span<const std::uint32_t> neighbors;  // positions, closest first
  std::uint32_t tie_rank = 0;                // as the column says: whoever reads the track needs no second read
};

/// Tracks are stored in blocks, each with a table of where its tracks end: so only the starts of blocks need to be
/// resident.
inline constexpr std::uint32_t kTracksPerBlock = 4;
/// Blocks start at multiples of this, in which their offsets are counted.
inline constexpr std::uint32_t kTrackBlockUnit = 16;
/// Where each track of a block ends, in bytes from the start of the block; the last end is repeated if it has fewer
/// tracks.
using TrackBlockEnds = std::array<std::uint32_t, kTracksPerBlock>;

class TrackStore {
 public:
  /// The sections outlive the object.
  TrackStore(const Sections& sections, const Layout& layout);

  /// REQUIRES: `position` is below the number of tracks.
  StoredTrack at(std::uint32_t position) const;
  /// Its id. Valid as long as `at` says. REQUIRES: as `at`.
  std::string_view id_at(std::uint32_t position) const;

  /// For a remote file: adds where the block of a track is; nothing if there is no such track.
  void add_range(std::uint32_t position, std::vector<FileRange>& ranges) const;
  /// For a resident file: starts loading these tracks into the processor's caches, so that their misses overlap.
  void load_into_caches(std::span<const std::uint32_t> positions) const;

  /// For verification: that a track is as long as it says itself, and its block no longer than its tracks.
  void check_size(std::uint32_t position) const;

 private:
  FileRange range_of(std::uint32_t position) const;        // in the section
  FileRange range_of_block(std::uint32_t position) const;  // in the section

  Layout layout_;
  Extent tracks_;
  std::vector<std::uint32_t> kept_starts_;  // of a remote file
  Array<std::uint32_t> block_starts_;
};

/// The id in the JSON. It needs no unescaping: ids are plain (LINE-3).
std::string_view id_of(const RenderedTrack& track);

/// The bytes of a track in the section; a multiple of four.
std::string encode_track(std::string_view json, std::span<const std::uint32_t> offsets,
                         std::span<const std::uint32_t> neighbors, std::uint32_t tie_rank);

}  // namespace tonearm::catalog
