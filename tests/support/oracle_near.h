#pragma once
// A naive reference for near words and creators, written from the documents alone: it compares with every spelling.

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "oracle_filters.h"
#include "oracle_words.h"
#include "tonearm/snapshot_writer.h"
#include "tonearm/track.h"

namespace tonearm::test::oracle {

class NearOracle {
 public:
  NearOracle(const std::vector<Track>& tracks, const SnapshotOptions& options, Words& words);

  /// Whether the second may replace the first in a suggestion: no track has the first, some track has the second, and
  /// they are near.
  bool is_near_word(const Token& typed, const Token& offered) const;
  bool is_near_creator(const std::string& typed, const std::string& offered) const;
  /// Returns `q` with its only unknown word replaced by each possible near word, best first. Returns nothing if there
  /// are more unknown words, or if the word is in a synonym.
  std::vector<std::string> near_queries(const std::string& q, Kind kind) const;
  std::vector<std::string> near_creators(const std::string& name, Kind kind) const;

 private:
  using Counts = std::array<std::size_t, kKindNames.size()>;
  using WordCounts = std::map<std::string, Counts>;
  static std::vector<std::string> best_of(const std::string& folded, Kind kind, const WordCounts& words);

  Words& words_;
  std::set<std::string> stems_;
  std::set<std::string> of_synonyms_;  // stems
  WordCounts whole_words_;             // by whole word
  WordCounts creators_;                // by folded name
};

}  // namespace tonearm::test::oracle
