#include "catalog/lookup/muted_tracks.h"

#include <string_view>
#include <utility>

#include "reflection/track_type.h"

namespace tonearm::catalog {
namespace {

constexpr std::string_view kNull = "null";

}  // namespace

/// Replaces the value at a path, and moves what follows it.
void MutedTracks::Copy::set_null(std::size_t path) {
  const std::uint32_t begin = offsets[2 * path];
  const std::uint32_t end = offsets[2 * path + 1];
  json.replace(begin, end - begin, kNull);
  for (std::uint32_t& offset : offsets) {
    if (offset >= end) offset = offset - end + begin + static_cast<std::uint32_t>(kNull.size());
  }
}

RenderedTrack MutedTracks::of(std::uint32_t position, const RenderedTrack& track) {
  const std::scoped_lock lock(mutex_);
  auto found = copies_.find(position);
  if (found == copies_.end()) {
    Copy copy{std::string(track.json), {track.offsets.begin(), track.offsets.end()}};
    for (const std::string_view name : {"preview_url", "original_url"}) copy.set_null(table::track_path(name));
    found = copies_.emplace(position, std::move(copy)).first;
  }
  return {found->second.json, found->second.offsets};
}

}  // namespace tonearm::catalog
