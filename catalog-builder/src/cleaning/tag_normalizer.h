#pragma once
// Maps the moods and effect tags of all sources to one vocabulary (BUILD-19): the entries of data/mood.toml and
// data/sfx.toml. Thread-safe after construction.

#include <map>
#include <string>
#include <utility>

#include "report/report.h"
#include "tonearm/track.h"

namespace tonearm::builder {

class TagNormalizer {
 public:
  /// Reads the vocabularies. Throws Failure if one is invalid.
  TagNormalizer();

  /// Replaces the tags of `facet` (`mood` or `sfx`) by tags of the vocabulary, and counts changes in `counts` under
  /// `rule`. Effect tags are also looked up by their singular and their last word ("rain-storm" is a storm). Words of
  /// replaced tags that the track does not contain otherwise become its matching words, so that no search finds less
  /// (SEARCH-3).
  void normalize(Track& track, Facet facet, std::string_view rule, Counts& counts) const;

 private:
  struct Target {
    bool is_known = false;
    Facet facet = Facet::sfx;
    std::string id;  // empty: only a word
  };
  Target target_of(Facet facet, const std::string& id) const;
  const Target* find(Facet facet, const std::string& id) const;

  std::map<std::pair<Facet, std::string>, Target> targets_;
};

}  // namespace tonearm::builder
