#pragma once
// The index as one blob of the table `postings` for each word and each value of a facet; the table `terms`
// says where it is.

#include "catalog/index.h"
#include "catalog/statement.h"

namespace tonearm::catalog {

class BlobIndex final : public Index {
 public:
  /// `size`: number of positions.
  BlobIndex(sqlite3* database, std::uint32_t size);

  std::uint32_t tracks_with(std::string_view word) override;
  WordPostings word(std::string_view word) override;
  void add_facet(std::string_view facet, std::string_view value, DocSet& set) override;

 private:
  Statement count_;
  Statement select_;
  std::uint32_t size_;
};

}  // namespace tonearm::catalog
