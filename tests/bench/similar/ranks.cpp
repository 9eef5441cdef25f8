#include "ranks.h"

#include <algorithm>
#include <array>
#include <iomanip>
#include <ostream>
#include <set>
#include <span>

#include "canonical/check.h"
#include "neighbors_in_memory.h"
#include "similar/track_features.h"

namespace tonearm::bench {
namespace {

using Tag = std::pair<std::size_t, std::string>;  // facet, id

struct Ranks {
  std::size_t first;
  std::size_t last;
};
constexpr std::array<Ranks, 4> kRanks{{{1, 3}, {4, 10}, {11, 20}, {21, 64}}};
constexpr std::size_t kAskedForTags = 120;
constexpr std::size_t kAskedForTerms = 150;

std::set<Tag> tags_of(const Track& track) {
  std::set<Tag> tags;
  for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
    for (const auto& id : track.tags[facet]) tags.emplace(facet, id);
  }
  return tags;
}

/// Returns this many of them, evenly spread.
std::vector<std::uint32_t> spread(const std::vector<std::uint32_t>& all, std::size_t count) {
  std::vector<std::uint32_t> some;
  for (std::size_t i = 0; i < std::min(count, all.size()); ++i) {
    some.push_back(all[i * all.size() / std::min(count, all.size())]);
  }
  return some;
}

/// Returns the share of pairs of a track's tag and a neighbor at these ranks in which the neighbor has the tag.
double overlap(const std::vector<Track>& tracks, std::span<const std::uint32_t> asked, const Ranks& ranks) {
  std::uint64_t pairs = 0;
  std::uint64_t shared = 0;
  for (const auto track : asked) {
    const auto tags = tags_of(tracks[track]);
    const auto& list = tracks[track].neighbors;
    for (std::size_t rank = ranks.first; rank <= std::min(ranks.last, list.size()); ++rank) {
      const auto of_neighbor = tags_of(tracks[list[rank - 1]]);
      pairs += tags.size();
      shared += static_cast<std::uint64_t>(
          std::count_if(tags.begin(), tags.end(), [&](const Tag& tag) { return of_neighbor.contains(tag); }));
    }
  }
  return static_cast<double>(shared) / static_cast<double>(std::max<std::uint64_t>(pairs, 1));
}

bool needs_no_credit(const Track& track) {
  return attribution(track.license, track.credit_requested) == Attribution::optional;
}

/// Counts the tracks without required credit that share a tag with it.
std::size_t alike_without_credit(const std::vector<Track>& tracks, const Track& own, std::size_t enough) {
  std::set<std::uint64_t> names;
  const builder::WordTable words;
  builder::FeatureReader reader(words);
  for (const auto& feature : reader.features_of(own)) {
    if (feature.signal == builder::Signal::distinctive) names.insert(feature.name);
  }
  std::size_t count = 0;
  for (const auto& other : tracks) {
    const bool may_be = &other != &own && other.kind == own.kind && !other.taken_down && needs_no_credit(other) &&
                        builder::is_speech(other) == builder::is_speech(own);
    if (!may_be) continue;
    const auto features = reader.features_of(other);
    count += std::any_of(features.begin(), features.end(), [&](const auto& it) { return names.contains(it.name); });
    if (count == enough) break;
  }
  return count;
}

}  // namespace

void judge_ranks(const std::vector<Track>& tracks, const std::string& source, std::ostream& out) {
  auto listed = tracks;
  for (auto& track : listed) track.neighbors.clear();
  builder::compute_neighbors(listed, std::vector<bool>(listed.size()));
  std::vector<std::uint32_t> all;
  std::vector<std::uint32_t> of_source;
  for (std::uint32_t i = 0; i < listed.size(); ++i) {
    if (listed[i].taken_down) continue;
    all.push_back(i);
    if (listed[i].source == source) of_source.push_back(i);
  }
  const auto asked = spread(of_source, kAskedForTags);
  out << std::fixed << std::setprecision(3) << "all lists of a catalog of " << listed.size() << " tracks\n  tags that "
      << asked.size() << " tracks of " << source << " share with neighbors, by rank:";
  for (const auto& ranks : kRanks) {
    out << "  " << ranks.first << " to " << ranks.last << ": " << overlap(listed, asked, ranks);
  }
  constexpr std::size_t kWanted = 10;
  std::size_t artists = 0;
  std::size_t none = 0;
  std::size_t few = 0;
  std::size_t entries = 0;
  for (const auto& track : listed) entries += track.neighbors.size();
  const auto seeds = spread(all, kAskedForTerms);
  for (const auto seed : seeds) {
    const auto& list = listed[seed].neighbors;
    std::set<std::string> names;
    for (std::size_t i = 0; i < std::min(kWanted, list.size()); ++i) names.insert(listed[list[i]].artist);
    artists += names.size();
    const auto count = static_cast<std::size_t>(
        std::count_if(list.begin(), list.end(), [&](auto other) { return needs_no_credit(listed[other]); }));
    none += count == 0;
    few += count < kWanted && alike_without_credit(listed, listed[seed], kWanted) == kWanted;
  }
  out << "\n  of " << seeds.size() << " tracks: " << none << " without a neighbor that needs no credit, " << few
      << " with fewer than 10 where there are 10 alike; "
      << static_cast<double>(artists) / static_cast<double>(std::max<std::size_t>(seeds.size(), 1))
      << " artists among the first 10; "
      << static_cast<double>(entries) / static_cast<double>(std::max<std::size_t>(listed.size(), 1))
      << " neighbors to a list\n";
}

}  // namespace tonearm::bench
