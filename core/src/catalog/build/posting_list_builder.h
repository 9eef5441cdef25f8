#pragma once
// Collects the posting lists of terms and facets while tracks are added by position, and writes them.

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "catalog/build/section_writer.h"
#include "catalog/build/track_terms.h"
#include "catalog/index/term_index.h"

namespace tonearm::catalog {

class PostingListBuilder {
 public:
  /// REQUIRES: positions ascend from call to call; the track is not taken down.
  void add(std::uint32_t position, const Track& track, const std::unordered_map<std::string, FieldCounts>& words);
  /// Writes the section `postings`; returns the section `terms`.
  std::string write(SectionWriter& sections, const Layout& layout, std::span<const std::uint32_t> tie_rank) const;

 private:
  struct Collected {
    std::vector<std::uint32_t> positions;
    std::vector<std::uint8_t> impacts;  // of words: one for each position
  };
  void add_facets(std::uint32_t position, const Track& track);
  void add_facet(std::uint32_t position, std::string_view facet, std::string_view value);

  std::unordered_map<std::string, Collected> terms_;  // by key (facets.h)
};

}  // namespace tonearm::catalog
