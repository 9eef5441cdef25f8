#include "catalog/index/tag_terms.h"

#include "catalog/index/facets.h"

namespace tonearm::catalog {
namespace {

/// Calls `visit(facet, list)` for each list of tags in the order of their numbers.
template <class Visit>
void each_list(const CatalogValues& values, const Visit& visit) {
  for (const auto& of_kind : values.tags) {
    for (std::size_t facet = 0; facet < kFacetCount; ++facet) visit(kFacetNames[facet], of_kind[facet]);
  }
}

}  // namespace

TagNumbers tag_numbers(const CatalogValues& values, Kind kind, Facet facet) {
  const auto& wanted = values.tags[static_cast<std::size_t>(kind)][static_cast<std::size_t>(facet)];
  TagNumbers numbers;
  bool is_before = true;
  each_list(values, [&](std::string_view /*facet*/, const std::vector<LabeledValue>& list) {
    is_before = is_before && &list != &wanted;
    if (is_before) numbers.begin += list.size();
  });
  numbers.count = wanted.size();
  return numbers;
}

std::vector<std::string> tag_keys(const CatalogValues& values) {
  std::vector<std::string> keys;
  each_list(values, [&](std::string_view facet, const std::vector<LabeledValue>& list) {
    for (const LabeledValue& tag : list) keys.push_back(facet_key(facet, tag.id));
  });
  return keys;
}

std::vector<PostingLocation> TagTerms::locations(const TagNumbers& tags) const {
  std::vector<PostingLocation> locations(tags.count);
  std::string buffer;
  const std::string_view bytes =
      locations_.bytes(tags.begin * sizeof(PostingLocation), tags.count * sizeof(PostingLocation), buffer);
  if (!bytes.empty()) std::memcpy(locations.data(), bytes.data(), bytes.size());
  return locations;
}

FileRange TagTerms::range(const TagNumbers& tags) const {
  return locations_.range(tags.begin * sizeof(PostingLocation), tags.count * sizeof(PostingLocation));
}

void TagTerms::check_size(const CatalogValues& values) const {
  std::size_t count = 0;
  each_list(values, [&](std::string_view /*facet*/, const auto& list) { count += list.size(); });
  if (locations_.size() != count * sizeof(PostingLocation)) throw_damaged("the section tag_terms has the wrong size");
}

}  // namespace tonearm::catalog
