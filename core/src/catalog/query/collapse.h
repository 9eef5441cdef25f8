#pragma once
// Of matches that are variants of one another only the first in the order of the search stays (SEARCH-12). The others
// are taken out before a page is made, so that pages, totals and cursors are those of any search.

#include <cstdint>
#include <span>
#include <vector>

#include "catalog/query/match.h"

namespace tonearm::catalog {

/// The matches of one search: all are counted, then collapsed. Used by one thread.
class Collapse {
 public:
  /// All of it outlives the object.
  struct Dependencies {
    const Index& index;
    const Fetcher& fetcher;
    Scratch& scratch;
  };
  /// The search, and the sort in force.
  struct Order {
    const SearchQuery& query;
    const SearchPlan& plan;
    Sort sort = Sort::shuffle;
  };
  explicit Collapse(const Dependencies& dependencies);

  /// Returns how many of these are shown, after all that were counted before. One tier after the other.
  std::uint64_t count(const Matches& matches);
  /// Whether any match that was counted is not shown.
  bool hides_any() const { return hides_any_; }
  /// Leaves what is shown. REQUIRES: all tiers are counted, and those before are collapsed; the matches can be scored
  /// if the plan wants scores.
  void collapse(Matches& matches, const Order& order);
  /// How many matches each of these stands for, itself included.
  std::vector<std::uint32_t> count_variants(std::span<const std::uint32_t> positions) const;

 private:
  /// Matches with variants among the matches, ascending.
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
  std::vector<std::uint32_t> matches_of_;  // by family; of 0 the tracks without one
  std::vector<std::uint64_t> first_key_;   // by family: of the match that is shown, once it is known
};

}  // namespace tonearm::catalog
