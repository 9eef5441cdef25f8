#pragma once
// The tracks that a search keeps: words and filters together. Few matches are listed with their scores. Many stay a
// bitmap, and are scored only where a page needs them.

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "catalog/index/kernels.h"
#include "catalog/query/exclude.h"
#include "catalog/query/fetch.h"
#include "catalog/query/search_plan.h"
#include "catalog/query/weighted_clause.h"

namespace tonearm::catalog {

/// Buffers that one search after the other uses, so that none has to allocate them again. Used by one thread at a time.
class Scratch {
 public:
  /// `words` bitmap words of any content. Valid until `clear`.
  std::uint64_t* bitmap(std::size_t words);
  void clear() { used_ = 0; }

 private:
  std::deque<std::vector<std::uint64_t>> bitmaps_;
  std::size_t used_ = 0;
};

/// What a search keeps. It refers to the snapshot and to the scratch.
struct Matches {
  std::uint64_t total = 0;
  bool listed = false;
  std::vector<std::uint32_t> positions;  // listed: ascending
  std::vector<std::uint32_t> scores;     // listed, with words and scores wanted: one for each
  BitRange bits;                         // not listed
  std::vector<WeightedClause> clauses;   // to score by; not listed: every term as a bitmap
  std::optional<std::size_t> partition;  // not listed: the partition that the range is (PostingList::best)
  Array<std::uint32_t> best;             // not listed, a single term: its best tracks in the range, perhaps not all
  std::deque<DenseCopy> copies;          // of terms of the clauses that are lists in the snapshot
};

/// The tracks that hold so many of the words that count (MOST-1).
struct Tier {
  std::uint32_t matched_clauses = 0;
  Matches matches;
};

/// What a search for the most words keeps. It refers to the snapshot and to the scratch.
struct Tiers {
  std::vector<Tier> tiers;              // at most two, most words first; none is empty
  std::vector<WeightedClause> clauses;  // to score tiers by that are bitmaps
};

/// WordSummary words and ranges: what tracks must be in, and what they must not hold.
struct Conditions {
  std::vector<AnyOf> any_of;
  std::vector<ExcludedTerms> excluded;
};

class Matcher {
 public:
  /// All of it outlives the object.
  struct Dependencies {
    const Index& index;
    const Fetcher& fetcher;
    const Kernels& kernels;
    Scratch& scratch;
  };
  explicit Matcher(const Dependencies& dependencies) : dependencies_(dependencies) {}

  /// Without clauses the words filter nothing. If the plan wants no scores, listed matches have none.
  Matches match(const SearchQuery& query, const SearchPlan& plan);
  /// The tiers of a search for the most words. REQUIRES: the plan counts clauses.
  Tiers match_most(const SearchQuery& query, const SearchPlan& plan);
  /// Gives a tier of these what a page of it is made from.
  void prepare_for_page(Tier& tier, const Tiers& all, Scores scores) const;

 private:
  using Positions = std::vector<std::uint32_t>;

  std::optional<WeightedClause> weigh(const Clause& clause) const;
  Conditions read_conditions(const SearchPlan& plan) const;
  bool fill_list(Matches& matches, const SearchQuery& query, const Conditions& conditions, Scores scores) const;
  Positions candidates(std::span<const PostingList* const> lists, const SearchQuery& query,
                       const Conditions& conditions, const AnyOf* listed) const;
  void retain_in_ranges(Positions& positions, const Filters& filters) const;
  void fill_bits(Matches& matches, const SearchQuery& query, const Conditions& conditions);
  bool fill_listed_tiers(Tiers& tiers, std::size_t counted_clauses, const SearchQuery& query,
                         const Conditions& conditions, Scores scores) const;
  void fill_dense_tiers(Tiers& tiers, std::size_t counted_clauses, const SearchQuery& query,
                        const Conditions& conditions);
  BitRange filtered_range(const SearchQuery& query, const Conditions& conditions,
                          std::span<const std::uint64_t* const> clauses);
  std::vector<const std::uint64_t*> filter_operands(const SearchQuery& query, const Conditions& conditions);
  void intersect(std::uint64_t* bits, const PositionRange& range, std::vector<const std::uint64_t*> operands,
                 const Conditions& conditions) const;
  void make_dense(Matches& matches) const;
  void retain_durations(BitRange& bits, const Range& duration_ms);
  std::uint64_t count(const BitRange& bits) const;
  const std::uint64_t* bits_of(const PostingList& list);
  const std::uint64_t* bits_of(const AnyOf& condition);
  const std::uint64_t* bits_of(const WeightedClause& clause);
  const std::uint64_t* bits_of_tempo(const SearchQuery& query, const PositionRange& range);
  std::uint64_t* empty_bitmap();
  std::optional<std::size_t> partition_of(const PositionRange& range) const;

  Dependencies dependencies_;
};

/// The score of a track that matches, by the bitmaps of its terms. REQUIRES: `clauses` are those of Matches::clauses.
std::uint32_t score_at(std::span<const WeightedClause> clauses, std::uint32_t position);
/// For each bitmap word from index `first` on: no track of it scores higher.
void compute_score_bounds(std::span<const WeightedClause> clauses, const Kernels& kernels, std::uint32_t first,
                          std::span<std::uint32_t> highest);

}  // namespace tonearm::catalog
