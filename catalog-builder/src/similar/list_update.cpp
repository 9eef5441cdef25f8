#include "similar/list_update.h"

#include <algorithm>
#include <map>
#include <vector>

namespace tonearm::builder {
namespace {

using Ranked = std::vector<RankedNeighbor>;

bool has_terms(const RankedNeighbor& track, std::uint8_t terms, std::span<const Traits> traits) {
  return (terms & ~traits[track.track.index()].terms) == 0;
}

bool have_same_tracks(const Ranked& a, const Ranked& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const RankedNeighbor& of_a, const RankedNeighbor& of_b) { return of_a.track == of_b.track; });
}

/// Returns the greatest score, among tracks with these terms, of a track that is not in the full overall list.
///
/// Such a track has at most the worst score there, even if only the artist's tracks in that list count as closer: they
/// are all closer, because an artist's closer tracks rank higher. That bounds its similarity. Fewer of these tracks may
/// have the terms, which raises its score among the tracks with the terms.
int greatest_score_elsewhere(const Ranked& overall, std::uint8_t terms, std::span<const Traits> traits) {
  struct Counts {
    std::size_t all = 0;
    std::size_t with_terms = 0;
  };
  std::map<std::uint32_t, Counts> artists;
  for (const RankedNeighbor& it : overall) {
    if (it.artist == Traits::kNoArtist) continue;
    Counts& counts = artists[it.artist];
    ++counts.all;
    if (has_terms(it, terms, traits)) ++counts.with_terms;
  }
  const int worst = overall.back().score;
  int greatest = worst;
  for (const auto& [artist, counts] : artists) {
    const int similarity = worst * kScoreParts / (kScoreParts - lost_parts(counts.all));
    greatest = std::max(greatest, score_of_similarity(similarity, counts.with_terms));
  }
  return greatest;
}

}  // namespace

bool are_final(const NeighborLists& before, const NeighborLists& now, std::span<const Traits> traits) {
  const Ranked& overall = now.front();
  if (overall.size() < kNeighborLists.front().count_max) return true;  // there are no other tracks
  for (std::size_t i = 1; i < kNeighborLists.size(); ++i) {
    const NeighborLimits& limits = kNeighborLists[i];
    // With the same tracks, the bounds below hold too, but are not always found.
    if (before[i].size() < limits.count_max || have_same_tracks(before[i], now[i])) continue;
    if (now[i].size() < limits.count_max) return false;
    const int worst = now[i].back().score;
    if (worst > greatest_score_elsewhere(overall, limits.terms, traits)) continue;
    // Tracks outside the list before scored at most as much as its last one. Without one of that list, they may rise.
    const bool lost_none = std::all_of(before[i].begin(), before[i].end(),
                                       [&](const RankedNeighbor& it) { return has_terms(it, limits.terms, traits); });
    if (!lost_none || worst <= before[i].back().score) return false;
  }
  return true;
}

}  // namespace tonearm::builder
