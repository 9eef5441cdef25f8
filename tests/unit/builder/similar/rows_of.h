#pragma once
// Tracks of a title, and the feature rows of tracks in memory.

#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "similar/feature_rows.h"
#include "tonearm/track.h"

namespace tonearm::test {

inline Track titled(const std::string& title) {
  Track track;
  track.title = title;
  return track;
}

/// Returns a row for each member, an index of `tracks`.
inline builder::FeatureRows rows_of(const std::vector<Track>& tracks, std::span<const std::uint32_t> members,
                                    const builder::WordTable& words, std::uint32_t threads = 1) {
  builder::FeatureRows rows;
  builder::FeatureReader reader(words);
  for (const auto member : members) rows.append(reader.features_of(tracks[member]));
  std::vector<std::uint32_t> order(members.size());
  std::iota(order.begin(), order.end(), 0U);
  rows.finish(std::move(order), threads);
  return rows;
}

/// Returns a row for each track.
inline builder::FeatureRows rows_of(const std::vector<Track>& tracks, std::uint32_t threads = 1) {
  std::vector<std::uint32_t> members(tracks.size());
  std::iota(members.begin(), members.end(), 0U);
  return rows_of(tracks, members, builder::WordTable(), threads);
}

}  // namespace tonearm::test
