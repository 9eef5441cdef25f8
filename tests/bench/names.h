#pragma once
// The names that queries can use in a generated catalog: words by frequency, tags, artists, sources, ids.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tonearm/track.h"

namespace tonearm::bench {

/// Lists by their name in queries:
///   common                       the most frequent words, by descending frequency
///   middling, rare               words in 1/20 to 1/500 and in 1/1000 to 1/20,000 of the tracks
///   genre, mood, use, ...        the most frequent tags of each facet
///   creator                      artists, from the one with the most tracks to some with few
///   source                       domains
///   music_id, effect_id          ids of tracks
using Names = std::map<std::string, std::vector<std::string>>;

/// Counts a catalog's words.
class NamesBuilder {
 public:
  void add(const Track& track);
  Names finish() const;

 private:
  using Counts = std::unordered_map<std::string, std::uint32_t>;

  void count_words(const Track& track);

  std::uint32_t tracks_ = 0;
  Counts words_;
  Counts artists_;
  Counts sources_;
  std::array<Counts, kFacetCount> tags_;
  std::array<std::vector<std::string>, 2> ids_;  // by Kind, the first ones
  std::string text_;                             // of the current track; reused to avoid allocation
};

void write_names(const std::string& path, const Names& names);
/// Throws std::runtime_error.
Names read_names(const std::string& path);

}  // namespace tonearm::bench
