#include "catalog/postings_builder.h"

#include <algorithm>

#include "catalog/facets.h"
#include "catalog/statement.h"
#include "text/unicode.h"

namespace tonearm::catalog {

void PostingsBuilder::add(std::uint32_t position, const Track& track,
                          const std::unordered_map<std::string, FieldCounts>& words) {
  for (const auto& [word, counts] : words) {
    WordPostings& postings = words_[word];
    postings.positions.push_back(position);
    postings.impacts.push_back(impact(counts));
  }
  add_facets(position, track);
}

void PostingsBuilder::add_facet(std::uint32_t position, std::string_view facet, std::string_view value) {
  auto& positions = facets_[facet_key(facet, value)];
  if (positions.empty() || positions.back() != position) positions.push_back(position);
}

void PostingsBuilder::add_facets(std::uint32_t position, const Track& track) {
  for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
    for (const auto& tag : track.tags[facet]) add_facet(position, kFacetNames[facet], tag);
  }
  const auto length = length_bucket(track.kind, track.duration_ms);
  add_facet(position, kLengthFacet, kLengthNames[static_cast<std::size_t>(length)]);
  if (track.energy) add_facet(position, kEnergyFacet, kEnergyNames[static_cast<std::size_t>(*track.energy)]);
  if (track.tone) add_facet(position, kToneFacet, kToneNames[static_cast<std::size_t>(*track.tone)]);
  if (track.loop) add_facet(position, kLoopFacet, kYes);
  if (track.quality >= kGoodQuality) add_facet(position, kQualityFacet, kYes);
  add_facet(position, kLicenseFacet, license(track.license).name_id);
  add_facet(position, kAttributionFacet, to_string(attribution(track.license, track.credit_requested)));
  if (track.category) add_facet(position, kCategoryFacet, kCategories[*track.category].id);
  if (!track.artist.empty()) add_facet(position, kCreatorFacet, text::fold_case(track.artist));
  add_facet(position, kSourceFacet, text::fold_case(track.source));
}

void PostingsBuilder::write(sqlite3* database, std::uint32_t size) const {
  Statement insert_term(database, "INSERT INTO terms (key, count, place) VALUES (?1, ?2, ?3)");
  Statement insert_posting(database, "INSERT INTO postings (place, data) VALUES (?1, ?2)");
  std::int64_t place = 0;
  const auto insert = [&](const std::string& key, std::size_t count, const std::string& data) {
    insert_term.bind_blob(1, key);
    insert_term.bind_integer(2, static_cast<std::int64_t>(count));
    insert_term.bind_integer(3, place);
    insert_term.run();
    insert_posting.bind_integer(1, place++);
    insert_posting.bind_blob(2, data);
    insert_posting.run();
  };
  for (const auto& [key, positions] : facets_) insert(key, positions.size(), encode_facet(positions, size));
  std::vector<const std::string*> sorted;
  sorted.reserve(words_.size());
  for (const auto& [word, postings] : words_) sorted.push_back(&word);
  std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return *a < *b; });
  for (const auto* word : sorted) {
    const WordPostings& postings = words_.at(*word);
    insert(word_key(*word), postings.positions.size(), encode_word(postings));
  }
}

}  // namespace tonearm::catalog
