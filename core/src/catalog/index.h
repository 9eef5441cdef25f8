#pragma once
// What a search asks of the inverted index. The form in which postings are stored stands behind this, and
// nothing else of the catalog knows it.

#include <cstdint>
#include <string_view>

#include "catalog/codec.h"
#include "catalog/doc_set.h"

namespace tonearm::catalog {

/// Used by one thread at a time. Calls throw sql::Failure where the file cannot be read or is damaged.
class Index {
 public:
  virtual ~Index() = default;

  /// In how many tracks a word (a stem of the tokenizer) stands; 0: in none.
  virtual std::uint32_t tracks_with(std::string_view word) = 0;
  virtual WordPostings word(std::string_view word) = 0;
  /// Adds the tracks that have a value of a facet (facets.h); a value that no track has adds none.
  virtual void add_facet(std::string_view facet, std::string_view value, DocSet& set) = 0;
};

}  // namespace tonearm::catalog
