#pragma once
// A naive reference for searches and similar lists: a list of tracks and one loop over it, written from the documents
// alone. It takes encoded parameters as sent and trusts that they are valid.

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "oracle_filters.h"
#include "oracle_relations.h"
#include "oracle_words.h"
#include "tonearm/snapshot_writer.h"
#include "tonearm/track.h"

namespace tonearm::test::oracle {

/// Ignores the parameters `limit`, `cursor`, `fields` and `facets`. Used by one thread: it keeps the answers to the
/// latest questions, because several follow about one search.
class Oracle {
 public:
  /// Both must outlive the oracle. Uses the labels and synonyms of the options.
  Oracle(const std::vector<Track>& tracks, const SnapshotOptions& options, Words& words);

  /// Returns the ids of all matches in the requested order; if variants are collapsed, of those shown.
  std::vector<std::string> search(const Parameters& parameters) const;
  struct MatchedWords {
    std::size_t words = 0;  // that count; 0: the search is match=all
    /// number of words, and the number of tracks that contain as many
    std::vector<std::pair<std::size_t, std::size_t>> matched;
  };
  /// What a search with match=auto or most returns beside its tracks.
  MatchedWords matched_words(const Parameters& parameters) const;
  /// Whether `q` has words that are not wanted (AUTO-5).
  bool has_unwanted(const Parameters& parameters) const { return !terms_of_query(parameters).unwanted.empty(); }
  /// Returns the number of matches that each result of `search` represents; empty if variants are kept.
  std::vector<std::size_t> variants(const Parameters& parameters) const;
  using Value = std::pair<std::string, std::string>;  // id and label
  using Counted = std::pair<Value, std::size_t>;
  /// Returns the counts of one facet.
  std::vector<Counted> facet_counts(const Parameters& parameters, const std::string& facet) const;
  /// Returns the ids of the neighbors that pass the filters, closest first. REQUIRES: the catalog has `id`.
  std::vector<std::string> similar(const std::string& id, const Parameters& parameters) const;
  /// Returns the ids of the merged neighbors of all seeds. Unknown seeds are ignored.
  std::vector<std::string> merged_similar(const std::vector<std::string>& seeds, const std::set<std::string>& excluded,
                                          const Parameters& parameters) const;

 private:
  /// The number of occurrences of a word in each text of a track; see core/src/catalog/query/score.h.
  struct Occurrences {
    std::uint32_t title = 0, tags = 0, whole_tags = 0, artist = 0, category = 0, description = 0, hidden = 0;
  };
  struct Texts {
    std::map<std::string, Occurrences> words;
    std::vector<std::string> title;     // its words in order, or those of the tidied title
    std::vector<std::string> original;  // the words of the title that was tidied; empty: it was not
    std::vector<std::string> artist;
    std::uint64_t description = 0;  // the number of its words
    std::uint64_t hidden = 0;       // of the tags that fit no facet
  };
  using TermSet = std::set<std::string>;
  using Clause = std::set<TermSet>;
  /// A word of a query, or a phrase of a synonym set.
  struct WantedTerm {
    Clause same;                                 // matches if a track has all words of any of them
    Clause typed;                                // those of them that are in the query
    std::set<std::vector<std::string>> phrases;  // the same, in the order of the query
    std::map<TermSet, std::uint64_t> narrower;   // these match too; their weights in 256ths
    std::set<std::string> tags;                  // the ids of tags that its texts in the query are
    bool is_function_word = false;
  };

  void average_lengths();
  static std::uint64_t count_tags(const Track& track);
  void count_turns();
  void choose_spellings();
  std::vector<Value> values_of(const Track& track, const std::string& facet) const;
  void read_texts(std::size_t track, const SnapshotOptions& options);
  /// The words of `q`: those that are wanted, and with match=auto those that are not (AUTO-5).
  struct SplitQuery {
    std::vector<Token> wanted;
    Clause unwanted;
  };
  SplitQuery terms_of_query(const Parameters& parameters) const;
  /// Returns the distinct words that must match, at most `words_max`, in the order of `q`.
  std::vector<WantedTerm> split_words(const std::vector<Token>& tokens, std::size_t words_max) const;
  std::pair<std::size_t, Clause> longest_phrase(const std::vector<Token>& words, std::size_t at) const;
  bool passes(std::size_t track, const Parameters& parameters) const;
  /// Returns the tracks that pass the filters.
  const std::vector<std::size_t>& passing(const Parameters& parameters) const;
  bool holds(std::size_t track, const Clause& clause) const;
  bool holds(std::size_t track, const WantedTerm& word) const;
  std::size_t count_words(std::size_t track, const std::vector<WantedTerm>& words) const;
  struct Matching {
    std::vector<std::size_t> tracks;
    std::vector<WantedTerm> words;     // that rank
    std::vector<WantedTerm> counted;   // none: match=all
    std::vector<std::size_t> related;  // with related words only, in order (AUTO-3)
    bool ranks_related = false;        // related words rank the others too (AUTO-6)
  };
  Matching matching(const Parameters& parameters) const;
  /// Returns the tracks that pass the filters and match at least so many of the words.
  std::vector<std::size_t> tracks_with(const Parameters& parameters, const std::vector<WantedTerm>& words,
                                       std::size_t count_min) const;
  std::vector<std::size_t> related_tracks(const Parameters& parameters, const std::vector<WantedTerm>& counted) const;
  using Phrases = std::set<std::vector<std::string>>;  // stems in order
  Phrases phrases_of_query(const Parameters& parameters) const;
  std::uint64_t related_score(std::size_t track, const Phrases& phrases, std::uint64_t close_impact) const;
  bool is_tag(const WantedTerm& word) const;
  std::uint64_t score_with_related(std::size_t track, const std::vector<WantedTerm>& words, Phrases phrases) const;
  /// How much more weight the words of tags have, in halves, and how much more impact closely related words (AUTO-6).
  struct Emphasis {
    std::uint64_t halves = 2;
    std::uint64_t impact = 0;
  };
  std::uint64_t score_of_terms(std::size_t track, const TermSet& terms, std::uint64_t weight_max, std::uint64_t share,
                               const Emphasis& emphasis) const;
  std::uint64_t score(std::size_t track, const std::vector<WantedTerm>& words, std::uint64_t halves = 2) const;
  std::uint64_t impact(std::size_t track, const std::string& word) const;
  std::uint64_t tracks_with_word(const std::string& word) const;
  std::uint64_t weight(const std::string& word) const;
  std::uint64_t boost(std::size_t track, const std::vector<Token>& typed) const;
  std::vector<std::size_t> find_ordered(const Parameters& parameters) const;
  /// Returns all matches in the requested order.
  const std::vector<std::size_t>& ordered(const Parameters& parameters) const;
  /// Keeps the first of each family.
  std::vector<std::size_t> collapsed(const std::vector<std::size_t>& members) const;
  struct Adjacent {
    std::set<std::pair<std::string, std::string>> pairs;
    std::set<std::string> tags;
  };
  /// A phrase; if it is a synonym, also the words of the query that it replaces.
  struct Phrase {
    std::vector<Token> words;
    std::vector<Token> query_tokens;
  };
  std::uint64_t boost_of_phrase(std::size_t track, const Phrase& phrase, Adjacent& counted) const;
  std::uint64_t limited(std::uint64_t boost, const Phrase& phrase, bool is_tag) const;
  /// Returns the phrases of all sets that contain a phrase of the query.
  std::vector<Phrase> synonyms_of(const std::vector<Token>& words) const;
  std::vector<std::size_t> sorted(const Matching& found, const Parameters& parameters) const;

  const std::vector<Track>& tracks_;
  std::array<std::map<std::string, std::string>, kFacetCount> tag_labels_;
  std::map<std::string, std::string> spellings_;  // of artists' names, by folded name
  Words& words_;
  std::vector<Texts> texts_;
  /// Average lengths in 1/256.
  struct Averages {
    std::uint64_t title = 0, tags = 0, description = 0, hidden = 0;
  } averages_;
  std::vector<std::vector<std::vector<std::string>>> synonyms_;  // sets of phrases of words
  std::vector<std::vector<std::vector<Token>>> synonym_texts_;   // the same, as tokens
  Relations relations_;
  std::map<std::string, std::uint64_t> document_frequencies_;
  std::set<std::string> tag_ids_;  // of all tracks that can be found
  std::uint64_t findable_ = 0;
  std::vector<std::uint32_t> position_;  // rank in the default shuffle, see core/src/catalog/index/hash.h
  std::vector<std::size_t> family_;      // variants have the same (SEARCH-14)
  std::vector<std::size_t> turn_;        // how many tracks of the same artist precede it (SORT-6)
  using Answers = std::map<Parameters, std::vector<std::size_t>>;
  mutable Answers passing_;  // by filters
  mutable Answers ordered_;
};

}  // namespace tonearm::test::oracle
