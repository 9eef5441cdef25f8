#pragma once
// What the term dictionary says of the tags that /v1/meta lists, beside each other: a facet with a thousand values is
// looked up in one read. Constant, safe for concurrent use. Throws Failure if the file is damaged.

#include <string>
#include <vector>

#include "catalog/index/posting_list.h"
#include "catalog/storage/sections.h"
#include "tonearm/catalog.h"

namespace tonearm::catalog {

/// Some of the listed tags, by their numbers: the lists of music, then those of effects, each in the order of Facet.
struct TagNumbers {
  std::size_t begin = 0;
  std::size_t count = 0;
};

/// Those of a list.
TagNumbers numbers_of(const CatalogValues& values, Kind kind, Facet facet);
/// Their keys (facets.h) in the term dictionary, by number.
std::vector<std::string> keys_of_tags(const CatalogValues& values);

class TagTerms {
 public:
  /// The sections outlive it.
  explicit TagTerms(const Sections& sections) : places_(sections[SectionId::tag_terms]) {}

  std::vector<PostingPlace> places(const TagNumbers& tags) const;
  /// For a remote file: where they are.
  FileRange range(const TagNumbers& tags) const;
  /// Throws if it is of other tags than these.
  void check_size(const CatalogValues& values) const;

 private:
  Extent places_;
};

}  // namespace tonearm::catalog
