#include "catalog/writer/track_terms.h"

#include <algorithm>
#include <unordered_set>

#include "catalog/index/facets.h"
#include "catalog/storage/statement.h"
#include "catalog/writer/matching_texts.h"

namespace tonearm::catalog {

std::string tag_label(const TagLabels& labels, Facet facet, const std::string& tag) {
  const auto& known = labels[static_cast<std::size_t>(facet)];
  const auto found = known.find(tag);
  return found == known.end() ? default_label(tag) : found->second;
}

TrackText track_text(const Track& track, const TagLabels& labels) {
  TrackText text{title_to_match(track), {}, track.artist, {}, track.description, {}, matching_text(track).words};
  if (!track.matching_title.empty()) text.original_title = track.title;
  if (track.category) text.category = kCategories[*track.category].label;
  for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
    for (const auto& tag : track.tags[facet]) {
      text.tags.push_back({tag, tag_label(labels, static_cast<Facet>(facet), tag), static_cast<Facet>(facet)});
    }
  }
  return text;
}

std::string joined(const TrackText& text) {
  std::string all = text.title;
  for (const auto& tag : text.tags) all.append("\n").append(tag.id).append("\n").append(tag.label);
  for (const std::string* rest : {&text.artist, &text.category, &text.description, &text.original_title, &text.words}) {
    all.append("\n").append(*rest);
  }
  return all;
}

void LengthAverages::Field::add(std::size_t length_of_track) {
  if (length_of_track == 0) return;
  length += length_of_track;
  ++tracks;
}

void LengthAverages::add(const TrackText& text, Tokenizer& tokenizer) {
  const auto count_words = [&](const std::string& field) {
    std::size_t words = 0;
    tokenizer.each_folded(field, [&](std::string_view /*word*/) { ++words; });  // as many as stems, and faster
    return words;
  };
  title_.add(count_words(text.title));
  tags_.add(text.tags.size());
  description_.add(count_words(text.description));
  hidden_.add(count_words(text.words));
}

AverageLengths LengthAverages::averages() const {
  const auto average = [](const Field& field) { return average_256(field.length, field.tracks); };
  return {average(title_), average(tags_), average(description_), average(hidden_)};
}

std::unordered_map<std::string, FieldCounts> count_terms(const TrackText& text, Tokenizer& tokenizer) {
  std::unordered_map<std::string, FieldCounts> counts;
  const auto count = [&](const std::string& field, std::uint32_t FieldCounts::*member) {
    std::uint32_t words = 0;
    tokenizer.each_stem(field, [&](std::string_view stem) {
      ++(counts[std::string(stem)].*member);
      ++words;
    });
    return words;
  };
  const std::uint32_t title_length = count(text.title, &FieldCounts::title);
  count(text.artist, &FieldCounts::artist);
  count(text.category, &FieldCounts::category);
  const std::uint32_t description_length = count(text.description, &FieldCounts::description);
  const std::uint32_t hidden_length = count(text.words, &FieldCounts::hidden);
  // A word of the original title that the matched one lacks counts as little as one of the description.
  tokenizer.each_stem(text.original_title, [&](std::string_view stem) {
    auto& in_fields = counts[std::string(stem)];
    if (in_fields.title == 0) ++in_fields.description;
  });
  for (const auto& tag : text.tags) {
    // A tag's label often repeats its id, so each tag counts once.
    std::unordered_set<std::string> all;
    std::unordered_set<std::string> whole;
    for (const std::string* name : {&tag.id, &tag.label}) {
      std::vector<std::string> stems;
      tokenizer.each_stem(*name, [&](std::string_view stem) { stems.emplace_back(stem); });
      if (stems.size() == 1) whole.insert(stems.front());
      all.insert(stems.begin(), stems.end());
    }
    for (const auto& stem : all) ++counts[stem].tags;
    for (const auto& stem : whole) ++counts[stem].whole_tags;
  }
  for (auto& [word, in_fields] : counts) {
    in_fields.title_length = title_length;
    in_fields.tags_length = static_cast<std::uint32_t>(text.tags.size());
    in_fields.description_length = description_length;
    in_fields.hidden_length = hidden_length;
  }
  return counts;
}

void ImpactCheck::add(std::uint32_t position, TrackText text, std::uint16_t quality, Tokenizer& tokenizer) {
  lengths_.add(text, tokenizer);
  for (TrackText::Tag& tag : text.tags) {
    const auto& of_facet = labels_.at(static_cast<std::size_t>(tag.facet));
    const auto label = of_facet.find(tag.id);
    if (label == of_facet.end()) return unknown_.push_back(position);
    tag.label = label->second;
  }
  for (const auto& [stem, counts] : count_terms(text, tokenizer)) {
    OfTerm& term = expected_[stem];
    term.positions.push_back(position);
    term.impacts.push_back(impact(counts, average_, quality));
  }
}

void ImpactCheck::check_averages() const {
  if (lengths_.averages() != average_) throw_damaged("the average lengths of fields differ from the tracks");
}

void ImpactCheck::check_term(std::string_view stem, std::span<const std::uint32_t> positions,
                             std::span<const std::uint8_t> impacts) {
  OfTerm stored;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (std::binary_search(unknown_.begin(), unknown_.end(), positions[i])) continue;
    stored.positions.push_back(positions[i]);
    stored.impacts.push_back(impacts[i]);
  }
  const auto found = expected_.find(std::string(stem));
  if (stored != (found == expected_.end() ? OfTerm{} : found->second)) {
    throw_damaged("the impacts of a word differ from the texts of its tracks: " + std::string(stem));
  }
  if (found != expected_.end()) expected_.erase(found);
}

void ImpactCheck::check_all_terms_found() const {
  if (!expected_.empty()) throw_damaged("a word of a track has no posting list: " + expected_.begin()->first);
}

}  // namespace tonearm::catalog
