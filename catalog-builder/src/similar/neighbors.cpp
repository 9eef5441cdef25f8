#include "similar/neighbors.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>

#include "canonical/check.h"
#include "similar/neighbors_shards.h"
#include "similar/neighbors_vectors.h"
#include "system/threads.h"
#include "text/unicode.h"

namespace tonearm::builder {
namespace {

/// Artists that differ only in case share a number.
std::vector<Traits> traits_of(const std::vector<Track>& tracks, const std::vector<std::uint32_t>& members) {
  std::unordered_map<std::string, std::uint32_t> numbers;
  std::vector<Traits> result;
  result.reserve(members.size());
  for (const auto member : members) {
    const Track& track = tracks[member];
    Traits& traits = result.emplace_back();
    const auto next = static_cast<std::uint32_t>(numbers.size());
    if (!track.artist.empty()) traits.artist = numbers.emplace(text::fold_case(track.artist), next).first->second;
    traits.length = length_of(track);
    if (license(track.license).commercial) traits.terms = traits.terms | Traits::kCommercial;
    if (attribution(track.license, track.credit_requested) == Attribution::optional) {
      traits.terms = traits.terms | Traits::kNeedsNoCredit;
    }
  }
  return result;
}

/// Returns the guesses for the members that are members themselves, without duplicates, as indices of members.
NeighborGuesses guesses_among(const std::vector<std::uint32_t>& members, const NeighborGuesses& guesses) {
  if (guesses.empty()) return NeighborGuesses(members.size());
  constexpr auto kNotMember = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> index_of_member(guesses.size(), kNotMember);
  for (std::uint32_t i = 0; i < members.size(); ++i) index_of_member[members[i]] = i;
  NeighborGuesses result;
  result.reserve(members.size());
  std::vector<std::uint32_t> last_guessed_by(members.size(), kNotMember);
  for (const auto member : members) {
    auto& list = result.emplace_back();
    list.reserve(guesses[member].size());
    for (const auto guess : guesses[member]) {
      const auto index = index_of_member[guess];
      if (index == kNotMember || std::exchange(last_guessed_by[index], member) == member) continue;
      list.push_back(index);
    }
  }
  return result;
}

/// Fills the lists of one pool: tracks that may be neighbors of each other.
void fill(std::vector<Track>& tracks, std::vector<std::uint32_t> members, const std::vector<bool>& given,
          const NeighborGuesses& guesses, const WordTable& words, const SearchOptions& options,
          native::Progress& progress, const std::string& what) {
  std::sort(members.begin(), members.end(),
            [&](std::uint32_t a, std::uint32_t b) { return tracks[a].id < tracks[b].id; });
  std::vector<bool> wanted;
  wanted.reserve(members.size());
  for (const auto member : members) wanted.push_back(!given[member]);
  progress.begin("weighing the words and tags of " + what, 0);
  const FeatureRows rows(tracks, members, words, options.threads);
  const auto vectors = vectors_of(rows, options.threads);
  progress.begin("finding similar " + what, members.size());
  const auto traits = traits_of(tracks, members);
  const auto lists =
      search_neighbors({vectors, traits, rows}, guesses_among(members, guesses), wanted, options, progress);
  for (std::size_t i = 0; i < members.size(); ++i) {
    for (const auto index : lists[i]) tracks[members[i]].neighbors.push_back(members[index]);
  }
}

}  // namespace

void compute_neighbors(std::vector<Track>& tracks, const std::vector<bool>& given, const NeighborOptions& options) {
  native::Progress silent;
  compute_neighbors(tracks, given, {}, options, silent);
}

void compute_neighbors(std::vector<Track>& tracks, const std::vector<bool>& given, const NeighborGuesses& guesses,
                       const NeighborOptions& options, native::Progress& progress) {
  std::array<std::vector<std::uint32_t>, 3> pools;
  for (std::uint32_t i = 0; i < tracks.size(); ++i) {
    const std::size_t pool = tracks[i].kind == Kind::music ? 0 : is_speech(tracks[i]) ? 2 : 1;
    if (!tracks[i].taken_down) pools[pool].push_back(i);
  }
  const auto threads = options.threads != 0 ? options.threads : native::processors();
  const WordTable words(options.thesaurus != nullptr ? *options.thesaurus : Thesaurus{});
  constexpr std::array<const char*, 3> kNames{"music", "effects", "speech"};
  for (std::size_t pool = 0; pool < pools.size(); ++pool) {
    if (pools[pool].empty()) continue;
    fill(tracks, std::move(pools[pool]), given, guesses, words, {options.compared_count, threads}, progress,
         kNames[pool]);
  }
}

}  // namespace tonearm::builder
