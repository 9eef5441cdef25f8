#include "catalog/lookup/track_lookup.h"

#include <algorithm>

namespace tonearm::catalog {
namespace {

/// The tracks of a batch. In memory they stay in the processor's caches; of a remote file, most need one block, some
/// two.
constexpr std::size_t kResidentTracks = 60;
constexpr std::size_t kRemoteTracks = 140;

/// Calls `visit(begin, end)` for batches of indexes. A batch is fetched together.
template <class Visit>
void in_batches(std::size_t count, const Fetcher& fetcher, const Visit& visit) {
  const std::size_t tracks = fetcher.is_remote() ? kRemoteTracks : kResidentTracks;
  for (std::size_t begin = 0; begin < count; begin += tracks) visit(begin, std::min(count, begin + tracks));
}

}  // namespace

std::vector<StoredTrack> TrackLookup::at(std::span<const std::uint32_t> positions) const {
  std::vector<StoredTrack> tracks;
  tracks.reserve(positions.size());
  in_batches(positions.size(), fetcher_, [&](std::size_t begin, std::size_t end) {
    const auto batch = positions.subspan(begin, end - begin);
    fetcher_.tracks(batch);
    for (const auto position : batch) {
      if (position >= index_.layout.size) throw_damaged("an order refers to a missing track");
      tracks.push_back(index_.tracks.at(position));
    }
  });
  return tracks;
}

std::optional<std::uint32_t> TrackLookup::first_with(std::span<const std::uint32_t> positions,
                                                     std::string_view id) const {
  const auto found =
      std::find_if(positions.begin(), positions.end(), [&](auto it) { return index_.tracks.id_at(it) == id; });
  return found == positions.end() ? std::nullopt : std::optional(*found);
}

std::optional<std::uint32_t> TrackLookup::find(std::string_view id) const {
  fetcher_.id(id);
  const std::vector<std::uint32_t> candidates = index_.ids.candidates(id);
  fetcher_.tracks(candidates);
  return first_with(candidates, id);
}

std::vector<std::optional<FoundTrack>> TrackLookup::look_up(std::span<const std::string> ids) const {
  fetcher_.ids(ids);
  std::vector<std::vector<std::uint32_t>> candidates;
  candidates.reserve(ids.size());
  for (const std::string& id : ids) candidates.push_back(index_.ids.candidates(id));
  std::vector<std::optional<FoundTrack>> found(ids.size());
  in_batches(ids.size(), fetcher_, [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t> read;
    for (std::size_t i = begin; i < end; ++i) read.insert(read.end(), candidates[i].begin(), candidates[i].end());
    fetcher_.tracks(read);
    for (std::size_t i = begin; i < end; ++i) {
      const auto position = first_with(candidates[i], ids[i]);
      if (position) found[i] = FoundTrack{*position, index_.tracks.at(*position).rendered};
    }
  });
  return found;
}

std::vector<std::uint32_t> TrackLookup::find_among(std::span<const std::string> ids,
                                                   std::span<const std::uint32_t> positions) const {
  struct Candidate {
    std::uint32_t position = 0;
    std::size_t id = 0;
  };
  std::vector<Candidate> candidates;
  std::vector<std::uint32_t> read;
  fetcher_.ids(ids);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    for (const std::uint32_t position : index_.ids.candidates(ids[i])) {
      if (!std::binary_search(positions.begin(), positions.end(), position)) continue;
      candidates.push_back({position, i});
      read.push_back(position);
    }
  }
  fetcher_.tracks(read);
  std::vector<std::uint32_t> found;
  for (const auto& [position, id] : candidates) {
    if (index_.tracks.id_at(position) == ids[id]) found.push_back(position);
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace tonearm::catalog
