#pragma once
// The narrower and related phrases of a thesaurus, found by following its relations step by step (SEARCH-15).

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "oracle_words.h"
#include "tonearm/snapshot_writer.h"

namespace tonearm::test::oracle {

class Relations {
 public:
  using Phrase = std::vector<std::string>;  // stems in order
  using Terms = std::set<std::string>;
  struct Target {
    Relation relation = Relation::narrower;
    std::uint64_t weight = 0;  // in 256ths
    Terms terms;
  };

  Relations(const SnapshotOptions& options, Words& words);

  /// Returns how many tracks have a word; 0 if none does.
  using TracksWith = std::function<std::uint64_t(const std::string& stem)>;
  /// Returns the targets of a phrase that some track may have.
  std::vector<Target> of(const Phrase& phrase, const TracksWith& tracks_with) const;

 private:
  struct Step {
    Phrase from;
    Phrase to;
    Relation relation = Relation::narrower;
    std::uint64_t weight = 0;
  };
  std::vector<Phrase> same_as(const Phrase& phrase) const;
  void follow(const Phrase& phrase, std::uint64_t weight, int same_left, int narrower_left,
              std::map<Phrase, std::uint64_t>& found) const;

  std::vector<std::vector<Phrase>> sets_;
  std::vector<Step> steps_;
};

}  // namespace tonearm::test::oracle
