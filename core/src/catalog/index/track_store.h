#pragma once
// The sections `tracks` and `track_blocks`: the rendered JSON of each track and its neighbors. Constant, safe for
// concurrent use. Throws CatalogDamaged if the file is damaged.

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/index/layout.h"
#include "catalog/storage/sections.h"
#include "tonearm/catalog.h"

namespace tonearm::catalog {

/// A track as stored in the file.
struct StoredTrack {
  RenderedTrack rendered;
  std::span<const std::uint32_t> neighbors;  // positions, closest first
  std::uint32_t tie_rank = 0;                // a copy of the column, which saves a second read
};

/// Tracks are stored in blocks. Each block has a table of the ends of its tracks, so that only the starts of blocks
/// need to be resident.
inline constexpr std::uint32_t kTracksPerBlock = 4;
constexpr std::uint32_t track_blocks_of(std::uint32_t tracks) {
  return tracks / kTracksPerBlock + (tracks % kTracksPerBlock == 0 ? 0 : 1);
}
/// The alignment of blocks and the unit of their offsets.
inline constexpr std::uint32_t kTrackBlockUnit = 16;
/// The end of each track in a block, in bytes from the start of the block. If a block has fewer tracks, the last end is
/// repeated.
using TrackBlockEnds = std::array<std::uint32_t, kTracksPerBlock>;

class TrackStore {
 public:
  /// The sections must outlive the object.
  TrackStore(const Sections& sections, const Layout& layout);

  /// REQUIRES: `position` is below the number of tracks.
  StoredTrack at(std::uint32_t position) const;
  /// Returns the track's id. Valid as long as `at` says. REQUIRES: as `at`.
  std::string_view id_at(std::uint32_t position) const;

  /// For a remote file: adds the range of a track's block; nothing if there is no such track.
  void add_range(std::uint32_t position, std::vector<FileRange>& ranges) const;
  /// For a resident file: loads the tracks into the processor's caches in parallel, so that cache misses overlap.
  void prefetch_cache_lines(std::span<const std::uint32_t> positions) const;

  /// For verification: throws CatalogDamaged unless the stated sizes of a track and its block are exact.
  void check_size(std::uint32_t position) const;

 private:
  FileRange range_of(std::uint32_t position) const;        // in the section
  FileRange range_of_block(std::uint32_t position) const;  // in the section

  Layout layout_;
  Extent tracks_;
  std::vector<std::uint32_t> resident_starts_;  // if the file is remote
  Array<std::uint32_t> block_starts_;
};

/// Returns the id in the JSON. Ids need no unescaping (LINE-3).
std::string_view id_of(const RenderedTrack& track);

/// Encodes a track; the size is a multiple of four.
std::string encode_track(std::string_view json, std::span<const std::uint32_t> offsets,
                         std::span<const std::uint32_t> neighbors, std::uint32_t tie_rank);

}  // namespace tonearm::catalog
