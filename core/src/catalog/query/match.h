#pragma once
// Matches words and filters. Few matches are listed with their scores. Many stay a bitmap and are scored only where a
// page needs it.

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "catalog/index/kernels.h"
#include "catalog/query/exclude.h"
#include "catalog/query/fetch.h"
#include "catalog/query/search_plan.h"
#include "catalog/query/weighted_clause.h"

namespace tonearm::catalog {

/// Buffers that successive searches reuse to avoid allocation. Used by one thread at a time.
class Scratch {
 public:
  /// Returns `words` bitmap words with any content, valid until `clear`.
  std::uint64_t* bitmap(std::size_t words);
  void clear() { used_ = 0; }

 private:
  std::deque<std::vector<std::uint64_t>> bitmaps_;
  std::size_t used_ = 0;
};

/// The matches of a search. Refers to the snapshot and to the scratch.
struct Matches {
  std::uint64_t total = 0;
  bool listed = false;
  std::vector<std::uint32_t> positions;  // listed: ascending
  std::vector<std::uint32_t> scores;     // listed, with words, if scores are wanted: one for each position
  BitRange bits;                         // not listed
  std::vector<WeightedClause> clauses;   // for scoring; if not listed and scores are wanted, every term is a bitmap
  std::optional<std::size_t> partition;  // not listed: the partition that equals the range (PostingList::best)
  Array<std::uint32_t> best;             // not listed, single term: its best tracks in the range, possibly not all
  std::vector<std::unique_ptr<const DenseCopy>> copies;  // bitmaps of terms that the snapshot stores as lists
};

/// The tracks that match an equal number of counted clauses.
struct Tier {
  std::uint32_t matched_clauses = 0;  // 0: only related words
  Matches matches;                    // with a total; `Matcher::select_tier` adds the rest
  bool is_prepared = false;           // for a page

  /// Whether the tracks match none of the clauses, so that they are ordered by the score of related words (AUTO-3).
  bool is_related() const { return matched_clauses == 0; }
};

/// The related words of each phrase of a query that has some.
struct RelatedClauses {
  std::vector<std::uint64_t> phrases;
  std::vector<WeightedClause> clauses;            // one for each phrase
  std::vector<std::vector<std::uint8_t>> shares;  // the weight of each relation
};

/// The matches of a search with match=auto or most. Refers to the snapshot and to the scratch.
struct Tiers {
  std::vector<Tier> tiers;              // most clauses first; none is empty
  std::vector<WeightedClause> clauses;  // for scoring tiers that are bitmaps
  std::vector<std::size_t> numbers;     // of `clauses` in the plan
  std::vector<bool> are_tags;           // for each clause, whether it is a tag of the catalog (AUTO-6)
  RelatedClauses related;               // AUTO-3, AUTO-6
  // For tiers that are counted, but not yet selected:
  std::vector<const std::uint64_t*> counted;  // the bitmaps of the counted clauses
  BitRange kept;                              // the tracks that pass the filters

  std::uint64_t total() const;
};

/// The filters besides words and ranges: what tracks must be in, and what they must not contain.
struct Conditions {
  std::vector<AnyOf> any_of;
  std::vector<ExcludedTerms> excluded;
};

class Matcher {
 public:
  /// All must outlive the object.
  struct Dependencies {
    const Index& index;
    const Fetcher& fetcher;
    const Kernels& kernels;
    Scratch& scratch;
  };
  explicit Matcher(const Dependencies& dependencies) : dependencies_(dependencies) {}

  /// Without clauses, words filter nothing. If the plan wants no scores, listed matches have none.
  Matches match(const SearchQuery& query, const SearchPlan& plan);
  /// Returns the tiers of a search with match=auto or most, without regard to unwanted words. REQUIRES: the plan has
  /// counted clauses.
  Tiers match_tiers(const SearchQuery& query, const SearchPlan& plan);
  /// AUTO-5: splits a tier of `all` into the tracks without unwanted words, and those with any. A page does this only
  /// with tiers that it reaches, because a tier of related words is expensive to select.
  std::vector<Tier> split_unwanted(Tier tier, Tiers& all, const SearchPlan& plan) const;
  /// Makes the matches of a tier complete, except for what a page needs.
  void select_tier(Tier& tier, const Tiers& all) const;
  /// Adds what a page of this tier needs: clauses, and a list with scores if there are few matches.
  void prepare_for_page(Tier& tier, const Tiers& all, const SearchPlan& plan) const;

 private:
  using Positions = std::vector<std::uint32_t>;

  std::optional<WeightedClause> weigh(const Clause& clause) const;
  Conditions read_conditions(const SearchPlan& plan) const;
  bool fill_list(Matches& matches, const SearchQuery& query, const Conditions& conditions, Scores scores) const;
  Positions merge_lists(std::span<const PostingList* const> lists, const PositionRange& range) const;
  Positions candidates(std::span<const PostingList* const> lists, const SearchQuery& query,
                       const Conditions& conditions, const AnyOf* listed) const;
  void retain_in_ranges(Positions& positions, const Filters& filters) const;
  void fill_bits(Matches& matches, const SearchQuery& query, const Conditions& conditions, Scores scores);
  template <class WeightOf>
  WeightedTermSet weigh_target(const ThesaurusTarget& target, const WeightOf& weight_of) const;
  void add_narrower(WeightedClause& weighted, const Clause& clause, std::uint32_t heaviest) const;
  Tiers match_some(const SearchQuery& query, const SearchPlan& plan);
  void fill_tiers(Tiers& tiers, std::size_t counted_clauses, const SearchQuery& query, const SearchPlan& plan);
  RelatedClauses related_clauses(const SearchPlan& plan) const;
  bool is_tag(const Clause& clause) const;
  static std::vector<WeightedClause> with_related(const Tiers& tiers, const SearchPlan& plan);
  void add_related(Tiers& tiers, std::size_t counted_clauses, const SearchQuery& query, const SearchPlan& plan);
  Matches mark_related(const Tiers& tiers, std::size_t counted_clauses, const SearchQuery& query,
                       const Conditions& conditions);
  void select_related(Matches& matches, const Tiers& all) const;
  void list_members(Matches& matches) const;
  void score_listed(Matches& matches) const;
  bool fill_listed_tiers(Tiers& tiers, std::size_t counted_clauses, const SearchQuery& query,
                         const Conditions& conditions, Scores scores) const;
  void fill_dense_tiers(Tiers& tiers, std::size_t counted_clauses, const SearchQuery& query,
                        const Conditions& conditions);
  std::array<Matches, 2> split_bits(const Matches& matches, std::span<const ExcludedTerms> excluded) const;
  BitRange filtered_range(const SearchQuery& query, const Conditions& conditions,
                          std::span<const std::uint64_t* const> clauses);
  std::vector<const std::uint64_t*> filter_operands(const SearchQuery& query, const Conditions& conditions);
  void intersect(std::uint64_t* bits, const PositionRange& range, std::vector<const std::uint64_t*> operands,
                 const Conditions& conditions) const;
  void make_dense(Matches& matches) const;
  void retain_durations(BitRange& bits, const Range& duration_ms);
  std::uint64_t count(const BitRange& bits) const;
  void unite(std::uint64_t* bits, const PostingList& list) const;
  void unite(std::uint64_t* bits, const WeightedClause& clause) const;
  const std::uint64_t* bits_of(const PostingList& list) const;
  const std::uint64_t* bits_of(const AnyOf& condition) const;
  const std::uint64_t* bits_of(const WeightedClause& clause) const;
  const std::uint64_t* bits_of_tempo(const SearchQuery& query, const PositionRange& range);
  std::uint64_t* empty_bitmap() const;
  std::optional<std::size_t> partition_of(const PositionRange& range) const;

  Dependencies dependencies_;
};

/// Returns the terms of a target. `weight_of(weight)` returns the weight of a term from that of the same term in a
/// query.
template <class WeightOf>
WeightedTermSet Matcher::weigh_target(const ThesaurusTarget& target, const WeightOf& weight_of) const {
  const std::uint32_t tracks = dependencies_.index.layout.speech_end;
  WeightedTermSet terms;
  for (const PostingLocation& location : target.terms) {
    const PostingList list = dependencies_.index.terms.text_list(location);
    if (list.count == 0 || list.count > tracks) throw_damaged("a term has too many tracks, or none");
    terms.push_back({list, weight_of(term_weight(list.count, tracks))});
  }
  return terms;
}

/// Returns the score of a matching track by the bitmaps of its terms. REQUIRES: `clauses` are Matches::clauses.
std::uint32_t score_at(std::span<const WeightedClause> clauses, std::uint32_t position);
/// Replaces `scores` by the scores of `matches`, bitmap words from index `first` on, in the order of their bits.
/// REQUIRES: as `score_at`.
void score_matches(std::span<const WeightedClause> clauses, const Kernels& kernels, std::uint32_t first,
                   std::span<const std::uint64_t> matches, std::vector<std::uint32_t>& scores);
/// Computes an upper bound of the scores in each bitmap word from index `first` on.
void compute_score_bounds(std::span<const WeightedClause> clauses, const Kernels& kernels, std::uint32_t first,
                          std::span<std::uint32_t> highest);

}  // namespace tonearm::catalog
