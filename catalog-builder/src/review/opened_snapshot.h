#pragma once
// A snapshot file, for programs that read every track. The file is memory-mapped. Immutable.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "files/pinned_file.h"
#include "tonearm/catalog.h"

namespace tonearm::builder {

/// A path of the track type, for looking up values.
class TrackPath {
 public:
  /// REQUIRES: the track type has this path.
  explicit TrackPath(std::string_view path);
  /// Returns the JSON of the value; "null" if the path's parent is null. Throws Failure for a damaged track.
  std::string_view of(const RenderedTrack& track) const;

 private:
  std::size_t index_;
};

/// Decodes a JSON string; empty for null and other values.
std::string text_of(std::string_view json);

/// Maps a file into memory. Throws Failure if it cannot be read.
std::shared_ptr<const native::PinnedFile> open_snapshot_file(const std::string& path);

class OpenedSnapshot {
 public:
  /// Throws Failure if the file is not a snapshot.
  explicit OpenedSnapshot(std::string path);

  const std::string& path() const { return path_; }
  const Catalog& catalog() const { return *catalog_; }
  const native::PinnedFile& file() const { return *file_; }
  RenderedTrack track(std::uint32_t position) const;
  /// Returns the matching titles by position, of the tracks that have one (SEARCH-3). Throws Failure.
  std::map<std::uint32_t, std::string> matching_titles() const;

 private:
  std::string path_;
  std::shared_ptr<const native::PinnedFile> file_;
  std::shared_ptr<const Catalog> catalog_;
};

}  // namespace tonearm::builder
