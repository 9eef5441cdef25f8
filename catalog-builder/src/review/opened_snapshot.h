#pragma once
// A snapshot file with all of its tracks, for programs that look at each of them. The file is mapped, so nothing is
// held in memory. Constant.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "files/pinned_file.h"
#include "tonearm/catalog.h"

namespace tonearm::builder {

/// One path of the track type, to look values up by.
class TrackPath {
 public:
  /// REQUIRES: a track has it.
  explicit TrackPath(std::string_view path);
  /// The JSON of the value; "null" where the path's parent is null. Throws Failure for a damaged track.
  std::string_view of(const RenderedTrack& track) const;

 private:
  std::size_t index_;
};

/// The text in a JSON string; empty for null and whatever is no string.
std::string text_of(std::string_view json);

/// The bytes of a file, mapped. Throws Failure where it cannot be read.
std::shared_ptr<const native::PinnedFile> open_snapshot_file(const std::string& path);

class OpenedSnapshot {
 public:
  /// Throws Failure for what is no snapshot.
  explicit OpenedSnapshot(std::string path);

  const std::string& path() const { return path_; }
  const Catalog& catalog() const { return *catalog_; }
  const native::PinnedFile& file() const { return *file_; }
  RenderedTrack track(std::uint32_t position) const;

 private:
  std::string path_;
  std::shared_ptr<const native::PinnedFile> file_;
  std::shared_ptr<const Catalog> catalog_;
};

}  // namespace tonearm::builder
