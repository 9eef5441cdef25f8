#pragma once
// The rule of similar tracks once more, as plainly as it can be said: compare with everything, sort, take.

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "intake/intake.h"
#include "similar/neighbors_vectors.h"
#include "tonearm/track.h"

namespace tonearm::test {

/// The tracks of one kind that may be neighbors of each other, and what is to be compared of them.
struct NaivePool {
  std::vector<std::uint32_t> members;  // indices of tracks, in the order of their ids
  std::vector<builder::Vector> vectors;

  NaivePool(const std::vector<Track>& tracks, const Track& like) {
    for (std::uint32_t i = 0; i < tracks.size(); ++i) {
      const auto& track = tracks[i];
      if (track.kind == like.kind && builder::is_speech(track) == builder::is_speech(like) && !track.taken_down)
        members.push_back(i);
    }
    std::sort(members.begin(), members.end(), [&](auto a, auto b) { return tracks[a].id < tracks[b].id; });
    vectors = builder::vectors_of(builder::FeatureRows(tracks, members, 1), 1);
  }
};

/// Half the square of the distance of two vectors, but for rounding.
inline int distance(const builder::Vector& a, const builder::Vector& b) {
  int a_a = 0;
  int a_b = 0;
  int b_b = 0;
  for (std::size_t d = 0; d < builder::kDimensions; ++d) {
    a_a += a[d] * a[d];
    a_b += a[d] * b[d];
    b_b += b[d] * b[d];
  }
  return (a_a + 1) / 2 + (b_b + 1) / 2 - a_b;
}

/// One track each of music, effects and speech.
inline std::vector<Track> one_of_each_pool() {
  std::vector<Track> tracks(3);
  tracks[1].kind = tracks[2].kind = Kind::sfx;
  tracks[2].category = find_category("sp-s");
  return tracks;
}

/// Indices of the `count` closest to `index`: at most three of the first ten by one artist.
inline std::vector<std::size_t> naive_neighbors(const std::vector<Track>& tracks, const NaivePool& pool,
                                                std::size_t index, std::size_t count) {
  std::vector<std::pair<int, std::size_t>> order;
  for (std::size_t i = 0; i < pool.members.size(); ++i) {
    if (i != index) order.emplace_back(distance(pool.vectors[index], pool.vectors[i]), i);
  }
  std::sort(order.begin(), order.end());
  std::vector<std::size_t> first;
  std::vector<std::size_t> others;
  std::map<std::string, int> by_artist;
  for (const auto& [far, other] : order) {
    const auto& artist = tracks[pool.members[other]].artist;
    const bool fits = first.size() < 10 && (artist.empty() || by_artist[artist] < 3);
    if (fits) ++by_artist[artist];
    (fits ? first : others).push_back(other);
  }
  first.insert(first.end(), others.begin(), others.end());
  first.resize(std::min(first.size(), count));
  return first;
}

}  // namespace tonearm::test
