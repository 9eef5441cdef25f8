#pragma once
// The texts of a track that `q` searches (SEARCH-3), and the number of occurrences of each term.

#include <array>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "catalog/index/tokenizer.h"
#include "catalog/query/score.h"
#include "tonearm/track.h"

namespace tonearm::catalog {

/// Labels of tags by facet and id.
using TagLabels = std::array<std::map<std::string, std::string>, kFacetCount>;

std::string tag_label(const TagLabels& labels, Facet facet, const std::string& tag);

struct TrackText {
  std::string title;  // as it is matched
  struct Tag {
    std::string id;
    std::string label;
  };
  std::vector<Tag> tags;
  std::string artist;
  std::string category;  // its label, not that of its group
  std::string description;
  std::string original_title;  // empty: it is matched as it is
  std::string words;           // tags that fit no facet
};

TrackText track_text(const Track& track, const TagLabels& labels);

/// Joins all texts, one per line.
std::string joined(const TrackText& text);

/// Averages the lengths of fields over the tracks that have them.
class LengthAverages {
 public:
  void add(const TrackText& text, Tokenizer& tokenizer);
  AverageLengths averages() const;

 private:
  struct Field {
    std::uint64_t length = 0;  // the sum
    std::uint64_t tracks = 0;

    void add(std::size_t length_of_track);
  };
  Field title_;
  Field tags_;
  Field description_;
  Field hidden_;
};

std::unordered_map<std::string, FieldCounts> count_terms(const TrackText& text, Tokenizer& tokenizer);

}  // namespace tonearm::catalog
