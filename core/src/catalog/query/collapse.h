#pragma once
// Keeps only the first of all matches that are variants of one another, in the order of the search (SEARCH-12). The
// others are removed before a page is made, so that pages, totals and cursors work as in any search.

#include <cstdint>
#include <span>
#include <vector>

#include "catalog/query/match.h"

namespace tonearm::catalog {

/// The matches of one search: all tiers are counted first, then collapsed. Used by one thread.
class Collapse {
 public:
  /// All must outlive the object.
  struct Dependencies {
    const Index& index;
    const Fetcher& fetcher;
    Scratch& scratch;
  };
  /// The search and the order of the matches.
  struct Order {
    const SearchQuery& query;
    const SearchPlan& plan;
    Sort sort = Sort::shuffle;  // the effective sort
    bool by_score = false;      // instead of by `sort`
  };
  explicit Collapse(const Dependencies& dependencies);

  /// Returns how many of these matches are shown, given all that were counted before. Call it tier by tier.
  std::uint64_t count(const Matches& matches);
  /// Whether any counted match is hidden.
  bool hides_any() const { return hides_any_; }
  /// Removes hidden matches. REQUIRES: all tiers are counted, and the preceding ones are collapsed; the matches have
  /// what scoring needs if the plan wants scores.
  void collapse(Matches& matches, const Order& order);
  /// Returns the number of matches that each of these tracks represents, including itself.
  std::vector<std::uint32_t> count_variants(std::span<const std::uint32_t> positions) const;

 private:
  /// Matches that have variants among the matches, ascending.
  struct Candidates {
    std::vector<std::uint32_t> positions;
    std::vector<std::size_t> indexes;  // of listed matches
  };

  std::uint32_t family_of(std::uint32_t position) const;
  Candidates candidates(const Matches& matches) const;
  std::vector<std::uint64_t> keys_of(const Candidates& candidates, Matches& matches, const Order& order) const;
  std::vector<std::uint64_t> keys_by_score(const Candidates& candidates, Matches& matches, const Order& order) const;
  static void keep_listed(Matches& matches, const Candidates& candidates, const std::vector<bool>& is_kept);
  void keep_bits(Matches& matches, const Candidates& candidates, const std::vector<bool>& is_kept) const;
  template <class Value>
  void fetch(const Array<Value>& column, std::span<const std::uint32_t> positions) const;

  Dependencies dependencies_;
  bool hides_any_ = false;
  std::vector<std::uint32_t> matches_of_;  // by family; entry 0 counts the tracks without one
  std::vector<std::uint64_t> first_key_;   // by family: the key of the match that is shown, once known
};

}  // namespace tonearm::catalog
