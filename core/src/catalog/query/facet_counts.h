#pragma once
// How many matches of a search have which values of the facets that it asks for (SEARCH-11). A facet's values are
// counted by their posting lists; the artists, which are many, by the column of their numbers.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/query/search.h"
#include "tonearm/catalog.h"

namespace tonearm::catalog {

/// The tracks that a search keeps, as bits and, where they are few, as a list. Refers to the scratch.
class MatchSet {
 public:
  /// `parts` have no track in common; all are in the range. `bits`: as many words as the catalog has, of any content.
  MatchSet(std::span<const Matches> parts, const PositionRange& range, std::uint64_t* bits);

  std::uint64_t total() const { return total_; }
  const PositionRange& range() const { return bits_.range; }
  /// Whether it is all of the range.
  bool is_whole() const { return total_ == bits_.range.size(); }
  /// Ascending; empty where they are many.
  const std::vector<std::uint32_t>& positions() const { return positions_; }
  /// None outside of the range is set.
  const BitRange& bits() const { return bits_; }
  /// How many of them a posting list has.
  std::uint64_t count(const PostingList& list, const Kernels& kernels) const;

 private:
  std::uint64_t count_listed(std::span<const std::uint32_t> members) const;

  std::uint64_t total_ = 0;
  BitRange bits_;
  std::vector<std::uint32_t> positions_;
};

/// Constant; safe for concurrent use, with a context for each call. All that it is given outlives it.
class FacetCounter {
 public:
  struct Dependencies {
    const Index& index;
    const Fetcher& fetcher;
    const Kernels& kernels;
    const Search& search;
    const CatalogValues& values;
  };
  /// Throws Failure if index and values are of different tags.
  explicit FacetCounter(const Dependencies& dependencies) : dependencies_(dependencies) {
    dependencies.index.tags.check_size(dependencies.values);
  }

  /// As Catalog::facet_counts.
  FacetCounts count(const SearchQuery& query, std::span<const CountedFacet> facets, SearchContext& context) const;

 private:
  /// A value that matches may have.
  struct Candidate {
    std::string id;
    std::string label;
    PostingPlace place;
    std::uint64_t most = 0;  // tracks of the range that have it
  };

  MatchSet matches_of(const SearchQuery& query, SearchContext& context) const;
  std::vector<ValueCount> count(CountedFacet facet, Kind kind, const MatchSet& matches) const;
  std::vector<Candidate> tags(Facet facet, Kind kind) const;
  std::vector<Labelled> named_values(CountedFacet facet) const;
  std::vector<Candidate> looked_up(std::vector<Labelled> named, CountedFacet facet) const;
  std::size_t fetch_lists(std::span<const Candidate> candidates, std::uint64_t least) const;
  std::vector<ValueCount> count_values(std::vector<Candidate> candidates, const MatchSet& matches) const;
  std::vector<ValueCount> count_creators(const MatchSet& matches) const;

  Dependencies dependencies_;
};

}  // namespace tonearm::catalog
