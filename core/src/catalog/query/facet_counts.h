#pragma once
// Counts the matches of a search for each value of the requested facets (SEARCH-11). Values are counted by their
// posting lists; artists, which are many, by their column.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/query/search.h"
#include "tonearm/catalog.h"

namespace tonearm::catalog {

/// The tracks that a search matches, as bits and, if they are few, also as a list. Refers to the scratch.
class MatchSet {
 public:
  /// `tiers` have no track in common; all tracks are in the range. `bits`: as many bitmap words as the catalog has,
  /// with any content.
  MatchSet(std::span<const Matches> tiers, const PositionRange& range, std::uint64_t* bits);

  std::uint64_t total() const { return total_; }
  const PositionRange& range() const { return bits_.range; }
  /// Whether all tracks of the range match.
  bool covers_range() const { return total_ == bits_.range.size(); }
  /// Ascending; empty if there are many.
  const std::vector<std::uint32_t>& positions() const { return positions_; }
  /// No bit outside the range is set.
  const BitRange& bits() const { return bits_; }
  /// Returns the number of matches that are in a posting list.
  std::uint64_t count(const PostingList& list, const Kernels& kernels) const;

 private:
  std::uint64_t count_listed(std::span<const std::uint32_t> members) const;

  std::uint64_t total_ = 0;
  BitRange bits_;
  std::vector<std::uint32_t> positions_;
};

/// Constant; safe for concurrent use with one context per call. All arguments must outlive it.
class FacetCounter {
 public:
  struct Dependencies {
    const Index& index;
    const Fetcher& fetcher;
    const Kernels& kernels;
    const Search& search;
    const CatalogValues& values;
  };
  /// Throws CatalogDamaged if the index and `values` list different tags.
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
    PostingLocation location;
    std::uint64_t max_count = 0;  // the number of tracks in the range that have it
  };

  void fetch(const SearchQuery& query, std::span<const CountedFacet> facets, SearchContext& context) const;
  MatchSet matches_of(const SearchQuery& query, SearchContext& context) const;
  std::vector<ValueCount> count(CountedFacet facet, Kind kind, const MatchSet& matches) const;
  std::vector<Candidate> candidates(CountedFacet facet, Kind kind, const PositionRange& range) const;
  std::vector<Candidate> tags(Facet facet, Kind kind) const;
  std::vector<LabeledValue> named_values(CountedFacet facet) const;
  std::vector<Candidate> look_up_values(std::vector<LabeledValue> named, CountedFacet facet) const;
  std::size_t fetch_lists(std::span<const Candidate> candidates, std::uint64_t least) const;
  std::vector<ValueCount> count_values(std::vector<Candidate> candidates, const MatchSet& matches) const;
  std::vector<ValueCount> count_creators(const MatchSet& matches) const;

  Dependencies dependencies_;
};

}  // namespace tonearm::catalog
