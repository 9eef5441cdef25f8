#include "judgement.h"

#include <algorithm>
#include <iomanip>
#include <map>
#include <ostream>
#include <set>

#include "fakes.h"
#include "neighbors_in_memory.h"
#include "similar/neighbor_collector.h"
#include "similar/track_features.h"

namespace tonearm::bench {
namespace {

using Tag = std::pair<std::size_t, std::string>;  // facet, id
using Lists = std::vector<std::vector<std::uint32_t>>;

/// The tracks of one kind, with half of their tags.
struct Judged {
  std::vector<Track> tracks;
  std::vector<std::set<Tag>> all;
  std::vector<std::set<Tag>> kept;
  std::vector<std::vector<Tag>> hidden;
};

Judged half_hidden(const std::vector<Track>& tracks) {
  Judged result;
  test::SeededRandom random(1);
  for (Track track : tracks) {
    std::vector<Tag> tags;
    for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
      for (const auto& id : track.tags[facet]) tags.emplace_back(facet, id);
      track.tags[facet].clear();
    }
    track.energy.reset();
    track.tone.reset();
    result.all.emplace_back(tags.begin(), tags.end());
    for (std::size_t i = tags.size(); i > 1; --i) std::swap(tags[i - 1], tags[random.below(i)]);
    const auto middle = tags.begin() + static_cast<std::ptrdiff_t>((tags.size() + 1) / 2);
    for (auto tag = tags.begin(); tag != middle; ++tag) track.tags[tag->first].push_back(tag->second);
    result.kept.emplace_back(tags.begin(), middle);
    result.hidden.emplace_back(middle, tags.end());
    result.tracks.push_back(std::move(track));
  }
  return result;
}

Lists computed(const Judged& judged) {
  auto tracks = judged.tracks;
  for (auto& track : tracks) track.neighbors.clear();
  builder::compute_neighbors(tracks, std::vector<bool>(tracks.size()));
  Lists lists;
  for (auto& track : tracks) lists.push_back(std::move(track.neighbors));
  return lists;
}

/// Returns the tracks by similarity to one track, from 0 to 16,384, under the same rule for artists.
template <class Compare>
Lists by_rule(const Judged& judged, const Compare& compare) {
  std::map<std::string, std::uint32_t> artists;
  for (const auto& track : judged.tracks) artists.emplace(track.artist, static_cast<std::uint32_t>(artists.size()));
  Lists lists;
  for (std::uint32_t i = 0; i < judged.tracks.size(); ++i) {
    builder::TopNeighbors best(builder::kNeighborLists.front().count_max);
    for (std::uint32_t other = 0; other < judged.tracks.size(); ++other) {
      if (other == i) continue;
      const auto& artist = judged.tracks[other].artist;
      const auto number = artist.empty() ? builder::Traits::kNoArtist : artists.at(artist);
      const builder::Closeness track(static_cast<std::int16_t>(builder::kUnrelated + 1 + compare(i, other)), other);
      if (best.may_accept(track, number)) best.add(track, number);
    }
    auto& list = lists.emplace_back();
    for (const auto& it : best.take()) list.push_back(it.track.index());
  }
  return lists;
}

Lists by_cosine(const Judged& judged) {
  return by_rule(judged, [&](std::uint32_t a, std::uint32_t b) {
    const auto& kept = judged.kept[a];
    const auto shared = static_cast<std::uint64_t>(
        std::count_if(kept.begin(), kept.end(), [&](const Tag& tag) { return judged.kept[b].contains(tag); }));
    const auto sizes = std::max<std::uint64_t>(kept.size() * judged.kept[b].size(), 1);
    return static_cast<int>(builder::integer_sqrt((shared * shared << 28U) / sizes));
  });
}

Lists by_chance(const Judged& judged) {
  test::SeededRandom random(2);
  return by_rule(judged, [&](std::uint32_t, std::uint32_t) { return static_cast<int>(random.below(16'000)); });
}

/// Returns the share of pairs of a hidden tag and one of the first neighbors in which the neighbor has the tag.
double share(const Judged& judged, const Lists& lists, std::size_t first) {
  std::uint64_t pairs = 0;
  std::uint64_t shared = 0;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    for (const auto& tag : judged.hidden[i]) {
      for (std::size_t index = 0; index < std::min(first, lists[i].size()); ++index) {
        ++pairs;
        shared += judged.all[lists[i][index]].contains(tag) ? 1U : 0U;
      }
    }
  }
  return static_cast<double>(shared) / static_cast<double>(std::max<std::uint64_t>(pairs, 1));
}

}  // namespace

void judge(const std::string& name, const std::vector<Track>& tracks, std::ostream& out) {
  const auto judged = half_hidden(tracks);
  out << std::fixed << std::setprecision(3) << name << ", " << tracks.size() << " tracks\n";
  const auto say = [&](const char* what, const Lists& lists) {
    out << "  " << std::setw(22) << std::left << what << " first 10: " << share(judged, lists, 10)
        << "  first 20: " << share(judged, lists, 20) << '\n';
  };
  say("by chance", by_chance(judged));
  say("cosine of the tags", by_cosine(judged));
  say("neighbors", computed(judged));
}

}  // namespace tonearm::bench
