#include "catalog/index/tag_terms.h"

#include "catalog/index/facets.h"

namespace tonearm::catalog {
namespace {

/// Calls `visit(facet, list)` for each list of tags, in the order of their numbers.
template <class Visit>
void each_list(const CatalogValues& values, const Visit& visit) {
  for (const auto& of_kind : values.tags) {
    for (std::size_t facet = 0; facet < kFacetCount; ++facet) visit(kFacetNames[facet], of_kind[facet]);
  }
}

}  // namespace

TagNumbers numbers_of(const CatalogValues& values, Kind kind, Facet facet) {
  const auto& wanted = values.tags[static_cast<std::size_t>(kind)][static_cast<std::size_t>(facet)];
  TagNumbers numbers;
  bool is_before = true;
  each_list(values, [&](std::string_view /*facet*/, const std::vector<Labelled>& list) {
    is_before = is_before && &list != &wanted;
    if (is_before) numbers.begin += list.size();
  });
  numbers.count = wanted.size();
  return numbers;
}

std::vector<std::string> keys_of_tags(const CatalogValues& values) {
  std::vector<std::string> keys;
  each_list(values, [&](std::string_view facet, const std::vector<Labelled>& list) {
    for (const Labelled& tag : list) keys.push_back(facet_key(facet, tag.id));
  });
  return keys;
}

std::vector<PostingPlace> TagTerms::places(const TagNumbers& tags) const {
  std::vector<PostingPlace> places(tags.count);
  std::string buffer;
  const std::string_view bytes =
      places_.bytes(tags.begin * sizeof(PostingPlace), tags.count * sizeof(PostingPlace), buffer);
  if (!bytes.empty()) std::memcpy(places.data(), bytes.data(), bytes.size());
  return places;
}

FileRange TagTerms::range(const TagNumbers& tags) const {
  return places_.range(tags.begin * sizeof(PostingPlace), tags.count * sizeof(PostingPlace));
}

void TagTerms::check_size(const CatalogValues& values) const {
  std::size_t count = 0;
  each_list(values, [&](std::string_view /*facet*/, const auto& list) { count += list.size(); });
  if (places_.size() != count * sizeof(PostingPlace)) damaged("the section tag_terms has the wrong size");
}

}  // namespace tonearm::catalog
