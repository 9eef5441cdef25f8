#include "neighbors.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "intake.h"
#include "track_features.h"

namespace tonearm::builder {
namespace {

constexpr std::size_t kCandidatesMax = 256;
constexpr std::size_t kVariedFirst = 10;
constexpr std::uint32_t kSameArtistMax = 3;

struct Scored {
  std::uint64_t likeness = 0;
  std::uint32_t place = 0;
};

/// What two tracks share of what they have together, in 2^20ths (Jaccard's measure, weighted).
std::uint64_t likeness(std::uint32_t shared, std::uint32_t total_a, std::uint32_t total_b) {
  const std::uint64_t together = std::uint64_t{total_a} + total_b - shared;
  return together == 0 ? 0 : (std::uint64_t{shared} << 20U) / together;
}

/// The tracks that may be neighbors of each other.
class Pool {
 public:
  Pool(std::vector<Track>& tracks, std::vector<std::uint32_t> members, const NeighborOptions& options)
      : tracks_(tracks), members_(std::move(members)), options_(options), features_(tracks_, members_) {
    shared_.resize(members_.size());
    own_weights_.resize(features_.count());
    for (const auto member : members_) taken_down_.push_back(tracks_[member].taken_down ? 1 : 0);
    rank_of_id_.resize(members_.size());
    std::vector<std::uint32_t> order(members_.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return track(a).id < track(b).id; });
    for (std::uint32_t i = 0; i < order.size(); ++i) rank_of_id_[order[i]] = i;
  }

  void fill(const std::vector<bool>& given) {
    for (std::uint32_t place = 0; place < members_.size(); ++place) {
      if (!given[members_[place]]) fill_one(place);
    }
  }

 private:
  Track& track(std::uint32_t place) { return tracks_[members_[place]]; }

  /// Adds the weight of a feature to all that have it, or to those around `place` where the budget ends. Gives whether
  /// all were reached.
  bool spread(std::uint32_t place, const Features::Feature& feature, std::size_t& budget) {
    const auto& list = feature.tracks;
    const auto count = std::min(list.size(), budget);
    const auto own = static_cast<std::size_t>(std::lower_bound(list.begin(), list.end(), place) - list.begin());
    const auto begin = std::min(own > count / 2 ? own - count / 2 : 0, list.size() - count);
    for (std::size_t i = begin; i < begin + count; ++i) {
      if (shared_[list[i]] == 0) touched_.push_back(list[i]);
      shared_[list[i]] += feature.weight;
    }
    budget -= count;
    return count == list.size();
  }

  std::uint32_t shared_in_full(std::uint32_t other) const {
    std::uint32_t sum = 0;
    for (const auto id : features_.of_track(other)) sum += own_weights_[id];
    return sum;
  }

  /// What the budget left out of the sums is added now that few are left.
  void complete(std::uint32_t place, std::vector<Scored>& list) {
    for (const auto id : features_.of_track(place)) own_weights_[id] = features_.feature(id).weight;
    for (auto& scored : list) {
      const auto shared = shared_in_full(scored.place);
      scored.likeness = likeness(shared, features_.total(place), features_.total(scored.place));
    }
    for (const auto id : features_.of_track(place)) own_weights_[id] = 0;
    keep_best(list, kCandidatesMax);
  }

  void keep_best(std::vector<Scored>& list, std::size_t count) {
    const auto closer = [&](const Scored& a, const Scored& b) {
      return a.likeness != b.likeness ? a.likeness > b.likeness : rank_of_id_[a.place] < rank_of_id_[b.place];
    };
    const auto middle = list.begin() + static_cast<std::ptrdiff_t>(std::min(count, list.size()));
    std::partial_sort(list.begin(), middle, list.end(), closer);
    list.erase(middle, list.end());
  }

  std::vector<Scored> closest(std::uint32_t place) {
    std::size_t budget = options_.budget;
    bool exact = true;
    for (const auto id : features_.of_track(place)) exact = spread(place, features_.feature(id), budget) && exact;
    std::vector<Scored> list;
    for (const auto other : touched_) {
      const auto shared = std::exchange(shared_[other], 0);
      if (other == place || taken_down_[other] != 0) continue;
      list.push_back({likeness(shared, features_.total(place), features_.total(other)), other});
    }
    touched_.clear();
    keep_best(list, kCandidatesMax);
    if (!exact) complete(place, list);
    return list;
  }

  void fill_one(std::uint32_t place) {
    auto list = closest(place);
    std::vector<Scored> first;
    std::vector<Scored> later;
    std::map<std::string_view, std::uint32_t> by_artist;
    for (const auto& scored : list) {
      const std::string_view artist = track(scored.place).artist;
      const bool varied = artist.empty() || by_artist[artist] < kSameArtistMax;
      if (first.size() < kVariedFirst && varied) {
        ++by_artist[artist];
        first.push_back(scored);
      } else {
        later.push_back(scored);
      }
    }
    first.insert(first.end(), later.begin(), later.end());
    auto& out = track(place).neighbors;
    for (std::size_t i = 0; i < std::min<std::size_t>(first.size(), options_.count); ++i) {
      out.push_back(members_[first[i].place]);
    }
  }

  std::vector<Track>& tracks_;
  std::vector<std::uint32_t> members_;
  NeighborOptions options_;
  Features features_;
  std::vector<std::uint32_t> shared_;       // with the track at hand, by place; 0 between two tracks
  std::vector<std::uint32_t> own_weights_;  // of the track at hand, by feature; 0 between two tracks
  std::vector<std::uint8_t> taken_down_;    // by place: looked at far more often than all else of a track
  std::vector<std::uint32_t> touched_;
  std::vector<std::uint32_t> rank_of_id_;
};

}  // namespace

void compute_neighbors(std::vector<Track>& tracks, const std::vector<bool>& given, const NeighborOptions& options) {
  std::array<std::vector<std::uint32_t>, 3> pools;
  for (std::uint32_t i = 0; i < tracks.size(); ++i) {
    const std::size_t pool = tracks[i].kind == Kind::music ? 0 : is_speech(tracks[i]) ? 2 : 1;
    pools[pool].push_back(i);
  }
  for (auto& members : pools) {
    if (!members.empty()) Pool(tracks, std::move(members), options).fill(given);
  }
}

}  // namespace tonearm::builder
