#pragma once
// A naive implementation of similar tracks: compares all pairs and sorts.

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "intake/intake.h"
#include "rows_of.h"
#include "similar/neighbors_vectors.h"
#include "tonearm/track.h"

namespace tonearm::test {

/// The tracks of one pool and their vectors and features.
struct NaivePool {
  std::vector<std::uint32_t> members;  // indices of tracks, in the order of their ids
  std::vector<builder::Vector> vectors;
  std::vector<std::set<std::uint64_t>> features;  // of each, those that tell something

  NaivePool(const std::vector<Track>& tracks, const Track& like) {
    for (std::uint32_t i = 0; i < tracks.size(); ++i) {
      const auto& track = tracks[i];
      if (track.kind == like.kind && builder::is_speech(track) == builder::is_speech(like) && !track.taken_down)
        members.push_back(i);
    }
    std::sort(members.begin(), members.end(), [&](auto a, auto b) { return tracks[a].id < tracks[b].id; });
    const builder::WordTable words;
    vectors = builder::vectors_of(rows_of(tracks, members, words), 1);
    builder::FeatureReader reader(words);
    for (const auto member : members) {
      auto& names = features.emplace_back();
      for (const auto& feature : reader.features_of(tracks[member])) {
        if (feature.signal == builder::Signal::distinctive) names.insert(feature.name);
      }
    }
  }
};

/// Half the square of the distance of two vectors, except for rounding.
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

/// Returns a track each of music, effects and speech.
inline std::vector<Track> one_of_each_pool() {
  std::vector<Track> tracks(3);
  tracks[1].kind = tracks[2].kind = Kind::sfx;
  tracks[2].category = find_category("sp-s");
  return tracks;
}

/// A candidate for one track.
struct Seen {
  int likeness = 0;
  std::size_t index = 0;
  int score = 0;
};

/// Returns the best `count` in order: each loses one 32nd of its similarity for each closer track of its artist, at
/// most four.
inline std::vector<Seen> best_of(std::vector<Seen> seen, std::size_t count, const std::vector<Track>& tracks,
                                 const NaivePool& pool) {
  std::sort(seen.begin(), seen.end(), [](const Seen& a, const Seen& b) {
    return a.likeness != b.likeness ? a.likeness > b.likeness : a.index < b.index;
  });
  std::map<std::string, int> by_artist;
  for (auto& it : seen) {
    const auto& artist = tracks[pool.members[it.index]].artist;
    const int closer = artist.empty() ? 0 : std::min(by_artist[artist]++, 4);
    const int likeness = std::max(it.likeness, 1);
    it.score = likeness - likeness * closer / 32;
  }
  std::stable_sort(seen.begin(), seen.end(), [](const Seen& a, const Seen& b) { return a.score > b.score; });
  seen.resize(std::min(seen.size(), count));
  return seen;
}

/// Returns what remains of the likeness of two effects: an eighth less for each doubling of length beyond four times.
inline int less_by_length(int likeness, const Track& a, const Track& b) {
  if (likeness <= 0 || a.kind == Kind::music || a.duration_ms == 0 || b.duration_ms == 0) return likeness;
  const auto of_a = static_cast<int>(builder::log2_sixteenths(a.duration_ms));
  const auto of_b = static_cast<int>(builder::log2_sixteenths(b.duration_ms));
  return likeness - likeness * std::clamp(std::abs(of_a - of_b) - 32, 0, 64) / 128;
}

/// Returns the neighbors of `index`: the best 64, the best 20 commercial ones, the best 20 that need no credit.
inline std::vector<std::size_t> naive_neighbors(const std::vector<Track>& tracks, const NaivePool& pool,
                                                std::size_t index) {
  std::vector<Seen> all;
  std::vector<Seen> commercial;
  std::vector<Seen> without_credit;
  const int half_square = builder::half_square(pool.vectors[index]);
  for (std::size_t i = 0; i < pool.members.size(); ++i) {
    const Track& other = tracks[pool.members[i]];
    const Track& own = tracks[pool.members[index]];
    const int distance = test::distance(pool.vectors[index], pool.vectors[i]);
    const int likeness = less_by_length(8'064 + half_square - distance, own, other);
    const auto& names = pool.features[i];
    const bool shares = std::any_of(pool.features[index].begin(), pool.features[index].end(),
                                    [&](std::uint64_t name) { return names.count(name) != 0; });
    if (i == index || !shares) continue;
    all.push_back({likeness, i});
    if (license(other.license).commercial) commercial.push_back(all.back());
    if (!license(other.license).credit_required && !other.credit_requested) without_credit.push_back(all.back());
  }
  std::map<std::size_t, Seen> listed;
  for (const auto& it : best_of(all, 64, tracks, pool)) listed.emplace(it.index, it);
  for (const auto& it : best_of(commercial, 20, tracks, pool)) listed.emplace(it.index, it);
  for (const auto& it : best_of(without_credit, 20, tracks, pool)) listed.emplace(it.index, it);
  std::vector<Seen> order;
  order.reserve(listed.size());
  for (const auto& [at, it] : listed) order.push_back(it);
  std::vector<std::size_t> indices;
  for (const auto& it : best_of(order, order.size(), tracks, pool)) indices.push_back(it.index);
  return indices;
}

}  // namespace tonearm::test
