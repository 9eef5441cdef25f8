#pragma once
// The texts of a track that `q` searches (SEARCH-3), and the number of occurrences of each term.

#include <array>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
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
    Facet facet = Facet::genre;
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

/// Computes impacts again from the texts of tracks, for verification. Each check throws CatalogDamaged.
class ImpactCheck {
 public:
  /// `average`: from the manifest. `labels`: of the listed tags.
  ImpactCheck(const AverageLengths& average, TagLabels labels) : average_(average), labels_(std::move(labels)) {}

  /// Adds the texts of a searchable track; labels of tags are filled in. REQUIRES: positions ascend from call to call.
  /// `quality`: in thousandths.
  void add(std::uint32_t position, TrackText text, std::uint16_t quality, Tokenizer& tokenizer);
  /// REQUIRES: all tracks were added.
  void check_averages() const;
  /// Compares a posting list. REQUIRES: all tracks were added; each term is checked once.
  void check_term(std::string_view stem, std::span<const std::uint32_t> positions,
                  std::span<const std::uint8_t> impacts);
  /// REQUIRES: all terms of the catalog were checked.
  void check_all_terms_found() const;

 private:
  struct OfTerm {
    std::vector<std::uint32_t> positions;  // ascending
    std::vector<std::uint8_t> impacts;     // one for each position

    friend bool operator==(const OfTerm&, const OfTerm&) = default;
  };

  AverageLengths average_;
  TagLabels labels_;
  LengthAverages lengths_;
  std::unordered_map<std::string, OfTerm> expected_;
  std::vector<std::uint32_t> unknown_;  // positions of tracks with a tag that is not listed, whose label is unknown
};

}  // namespace tonearm::catalog
