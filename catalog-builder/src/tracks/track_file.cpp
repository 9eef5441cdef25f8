#include "tracks/track_file.h"

#include <limits>

#include "tracks/record_encoding.h"

namespace tonearm::builder {
namespace {

constexpr auto kNoRecord = std::numeric_limits<std::uint64_t>::max();

}  // namespace

Track TrackFile::read(std::uint32_t index) const {
  auto track = decode<Track>(records_.read(positions_[index]));
  if (index < neighbor_positions_.size() && neighbor_positions_[index] != kNoRecord) {
    track.neighbors = decode<std::vector<std::uint32_t>>(records_.read(neighbor_positions_[index]));
  }
  return track;
}

void TrackFile::append(const Track& track) {
  positions_.push_back(records_.append(encode(track)));
  if (!track.neighbors.empty()) set_neighbors(size() - 1, track.neighbors);
}

void TrackFile::update(std::uint32_t index, const std::function<void(Track&)>& change) {
  const auto before = records_.read(positions_[index]);
  auto track = decode<Track>(before);
  change(track);
  const auto after = encode(track);
  if (after != before) positions_[index] = records_.append(after);
}

void TrackFile::set_neighbors(std::uint32_t index, std::span<const std::uint32_t> neighbors) {
  if (neighbor_positions_.size() < positions_.size()) neighbor_positions_.resize(positions_.size(), kNoRecord);
  const std::vector<std::uint32_t> list(neighbors.begin(), neighbors.end());
  neighbor_positions_[index] = records_.append(encode(list));
}

void TrackFile::remove(const std::vector<bool>& is_removed) {
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < size(); ++i) {
    if (!is_removed[i]) positions_[kept++] = positions_[i];
  }
  positions_.resize(kept);
}

}  // namespace tonearm::builder
