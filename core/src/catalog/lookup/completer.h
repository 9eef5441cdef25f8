#pragma once
// Completes what a person types (COMPLETE-1 to COMPLETE-6). On a remote file, one round of reads finds the texts that
// begin with it; two more complete the last of several words, or correct the spelling.

#include <string>
#include <string_view>
#include <vector>

#include "catalog/query/search.h"

namespace tonearm::catalog {

/// Constant; safe for concurrent use with one context per call. All arguments must outlive it.
class Completer {
 public:
  Completer(const Index& index, const Fetcher& fetcher, const Search& search)
      : index_(index), fetcher_(fetcher), search_(search) {}

  /// As Catalog::complete.
  std::vector<Completion> complete(std::string_view typed, Kind kind, std::size_t limit, SearchContext& context) const;

 private:
  using Words = std::vector<std::string>;  // folded

  std::vector<Completion> last_word_completed(const Words& words, Kind kind, SearchContext& context) const;
  std::vector<Completion> corrected(const Words& words, Kind kind, SearchContext& context) const;
  void recount(std::vector<Completion>& found, Kind kind, SearchContext& context) const;
  std::vector<Completion> counted(const Words& texts, Kind kind, SearchContext& context) const;

  const Index& index_;
  const Fetcher& fetcher_;
  const Search& search_;
};

}  // namespace tonearm::catalog
