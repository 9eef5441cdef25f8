#pragma once
// Collects the postings of words and facets while tracks are added by position, and writes them.

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "catalog/codec.h"
#include "catalog/track_words.h"

struct sqlite3;

namespace tonearm::catalog {

class PostingsBuilder {
 public:
  /// REQUIRES: positions rise from call to call; the track is not taken down.
  void add(std::uint32_t position, const Track& track, const std::unordered_map<std::string, FieldCounts>& words);
  /// Fills the tables `terms` and `postings`. `size`: number of positions.
  void write(sqlite3* database, std::uint32_t size) const;

 private:
  void add_facets(std::uint32_t position, const Track& track);
  void add_facet(std::uint32_t position, std::string_view facet, std::string_view value);

  std::unordered_map<std::string, WordPostings> words_;
  std::map<std::string, std::vector<std::uint32_t>> facets_;  // by key
};

}  // namespace tonearm::catalog
