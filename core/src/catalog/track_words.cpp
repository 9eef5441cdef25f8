#include "catalog/track_words.h"

#include <unordered_set>

#include "catalog/facets.h"

namespace tonearm::catalog {

std::string tag_label(const TagLabels& labels, Facet facet, const std::string& tag) {
  const auto& known = labels[static_cast<std::size_t>(facet)];
  const auto found = known.find(tag);
  return found == known.end() ? default_label(tag) : found->second;
}

TrackText track_text(const Track& track, const TagLabels& labels) {
  TrackText text{track.title, {}, track.artist, {}, track.description};
  if (track.category) text.category = kCategories[*track.category].label;
  for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
    for (const auto& tag : track.tags[facet]) {
      text.tags.push_back(tag + "\n" + tag_label(labels, static_cast<Facet>(facet), tag));
    }
  }
  return text;
}

std::string joined(const TrackText& text) {
  std::string all = text.title;
  for (const auto& tag : text.tags) all.append("\n").append(tag);
  return all.append("\n").append(text.artist).append("\n").append(text.category).append("\n").append(text.description);
}

std::unordered_map<std::string, FieldCounts> count_words(const TrackText& text, Tokenizer& tokenizer) {
  std::unordered_map<std::string, FieldCounts> counts;
  const auto count = [&](const std::string& field, std::uint32_t FieldCounts::*member) {
    tokenizer.each_stem(field, [&](std::string_view stem) { ++(counts[std::string(stem)].*member); });
  };
  count(text.title, &FieldCounts::title);
  std::uint32_t title_words = 0;
  for (const auto& [word, in_fields] : counts) title_words += in_fields.title;
  count(text.artist, &FieldCounts::artist);
  count(text.category, &FieldCounts::category);
  count(text.description, &FieldCounts::description);
  for (const auto& tag : text.tags) {
    // A tag's label mostly repeats its id: each tag counts once.
    std::unordered_set<std::string> stems;
    tokenizer.each_stem(tag, [&](std::string_view stem) { stems.emplace(stem); });
    for (const auto& stem : stems) ++counts[stem].tags;
  }
  for (auto& [word, in_fields] : counts) in_fields.title_words = title_words;
  return counts;
}

}  // namespace tonearm::catalog
