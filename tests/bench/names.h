#pragma once
// What queries may name in a generated catalog: words by how common they are, tags, artists, sources, ids.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tonearm/track.h"

namespace tonearm::bench {

/// Lists by what a query calls them:
///   common                       the commonest words, the commonest first
///   middling, rare               words in 1/20 to 1/500 and in 1/1000 to 1/20,000 of the tracks
///   genre, mood, use, ...        the commonest tags of each facet
///   creator                      artists, from the one with most tracks to some with few
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
  std::string text_;                             // of the track being counted, kept for its memory
};

void write_names(const std::string& path, const Names& names);
/// Throws std::runtime_error.
Names read_names(const std::string& path);

}  // namespace tonearm::bench
