#pragma once
// One vocabulary for all sources: the moods and the tags of effects that a catalog has, and what other tags count as
// (BUILD-19). Its words are the entries of data/mood.toml and data/sfx.toml. Not thread-safe while it is made.

#include <map>
#include <string>
#include <utility>

#include "report/report.h"
#include "tonearm/track.h"

namespace tonearm::builder {

class TagScale {
 public:
  /// Reads the vocabularies. Throws Failure where one is not understood.
  TagScale();

  /// Gives the track the tags of the scale in place of those of `facet`, which is `mood` or `sfx`, and counts them in
  /// `counts` under `rule`. A tag that is none of the scale counts as the one that the vocabulary names; that of an
  /// effect also as its singular, or as its last word ("rain-storm" is a storm). The words of what went stay in the
  /// description as "#word", unless they stand elsewhere in the track: no search finds less (SEARCH-3).
  void narrow(Track& track, Facet facet, std::string_view rule, Counts& counts) const;

 private:
  struct Target {
    bool is_known = false;
    Facet facet = Facet::sfx;
    std::string id;  // empty: a word alone
  };
  Target target_of(Facet facet, const std::string& id) const;
  const Target* find(Facet facet, const std::string& id) const;

  std::map<std::pair<Facet, std::string>, Target> targets_;
};

}  // namespace tonearm::builder
