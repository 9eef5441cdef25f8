#pragma once
// Runs a search in three steps: plan (from the query alone), fetch (posting lists of a remote file), execute (match,
// then rank or sort). Reads that depend on data, such as ties, are fetched by the step that needs them.

#include <optional>

#include "catalog/index/kernels.h"
#include "catalog/query/collapse.h"
#include "catalog/query/match.h"
#include "catalog/query/search_context.h"
#include "catalog/query/ties.h"
#include "tonearm/search.h"

namespace tonearm::catalog {

/// Constant; safe for concurrent use with one context per call. All arguments must outlive it.
class Search {
 public:
  Search(const Index& index, const Fetcher& fetcher, const Synonyms& synonyms, const Kernels& kernels)
      : index_(index), fetcher_(fetcher), synonyms_(synonyms), kernels_(kernels) {}

  /// Returns the plan of `page`.
  SearchPlan plan_page(const SearchQuery& query, SearchContext& context) const;
  /// Returns the most tracks of a kind that can match the words and keys of a plan, without related words. Reads only
  /// entries of terms and of the thesaurus.
  std::uint64_t most_matches(const SearchPlan& plan, Kind kind) const;
  /// As Catalog::search.
  Page page(const SearchQuery& query, SearchContext& context) const;
  /// As Catalog::count.
  std::uint64_t count(const SearchQuery& query, SearchContext& context) const;
  /// For a remote file: fetches what counting reads of all words of the query.
  void prefetch(const SearchQuery& query, SearchContext& context) const;
  /// Returns all matches without scores, in disjoint tiers: one with match=all. They refer to the context's scratch
  /// until the next search.
  std::vector<Matches> matches(const SearchQuery& query, SearchContext& context) const;
  /// As Catalog::terms.
  std::vector<Catalog::QueryTerm> terms(std::string_view text, WordMatch match, SearchContext& context) const;

 private:
  QueryTexts read_texts(const SearchQuery& query, SearchContext& context) const;
  /// Returns nothing if variants are kept.
  std::optional<Collapse> collapse_of(const SearchQuery& query, SearchContext& context) const;
  Matches match(const SearchQuery& query, const SearchPlan& plan, SearchContext& context) const;
  Tiers match_tiers(const SearchQuery& query, const SearchPlan& plan, SearchContext& context) const;
  /// What decides the order inside a tier.
  struct PageOrder {
    const SearchQuery& query;
    const SearchPlan& plan;
    Sort sort;
    const Tiers& tiers;
    const Matcher& matcher;
  };
  void append_tier(Page& page, PageRange& left, Tier& tier, const PageOrder& order) const;
  Page page_of_tiers(const SearchQuery& query, const SearchPlan& plan, Sort sort, SearchContext& context) const;
  std::vector<std::uint32_t> page_of(Matches& matches, const SearchQuery& query, const SearchPlan& plan, Sort sort,
                                     const PageRange& page) const;

  const Index& index_;
  const Fetcher& fetcher_;
  const Synonyms& synonyms_;
  const Kernels& kernels_;
};

}  // namespace tonearm::catalog
