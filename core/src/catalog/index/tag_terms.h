#pragma once
// The posting list locations of all tags that /v1/meta lists, stored side by side, so that a facet with a thousand
// values needs one read. Constant, safe for concurrent use. Throws CatalogDamaged if the file is damaged.

#include <string>
#include <vector>

#include "catalog/index/posting_list.h"
#include "catalog/storage/sections.h"
#include "tonearm/catalog.h"

namespace tonearm::catalog {

/// A range of listed tags. Tags are numbered list by list: the lists of music, then those of effects, each in the order
/// of Facet.
struct TagNumbers {
  std::size_t begin = 0;
  std::size_t count = 0;
};

/// Returns the tags of one list.
TagNumbers tag_numbers(const CatalogValues& values, Kind kind, Facet facet);
/// Returns the keys (facets.h) of all listed tags, by number.
std::vector<std::string> tag_keys(const CatalogValues& values);

class TagTerms {
 public:
  /// The sections must outlive the object.
  explicit TagTerms(const Sections& sections) : locations_(sections[SectionId::tag_terms]) {}

  std::vector<PostingLocation> locations(const TagNumbers& tags) const;
  /// For a remote file: the range that `locations` reads.
  FileRange range(const TagNumbers& tags) const;
  /// Throws CatalogDamaged if the section does not match these values.
  void check_size(const CatalogValues& values) const;

 private:
  Extent locations_;
};

}  // namespace tonearm::catalog
