#include "cleaning/tag_normalizer.h"

#include <algorithm>
#include <vector>

#include "canonical/check.h"
#include "cleaning/words.h"
#include "mapping/vocabulary.h"
#include "tonearm/ascii.h"

namespace tonearm::builder {
namespace {

constexpr std::size_t kStemMin = 3;

/// Whether `words` contains the word without an ending that stemming removes. Skips stems that the tokenizer would
/// change further.
bool has_inflection(const Words& words, const std::string& word) {
  for (const std::string_view ending : {"s", "ed", "ing"}) {
    if (!word.ends_with(ending) || word.size() < kStemMin + ending.size()) continue;
    const auto stem = word.substr(0, word.size() - ending.size());
    const auto tail = stem.substr(stem.size() - 2);
    if (tail[0] == tail[1] || tail == "at" || tail == "bl" || tail == "iz") continue;
    if (tail[1] == 'e' || tail[1] == 's' || tail[1] == 'y' || tail[1] == 'i') continue;
    if (stem.find_first_of("aeiou") != std::string::npos && words.contains(stem)) return true;
  }
  return false;
}

/// Returns the words by which a search finds the track, in ASCII lower case.
Words searched_words(const Track& track) {
  Words words;
  add_search_words(words, track.title);
  add_search_words(words, track.matching_title);
  add_search_words(words, track.description);
  for (const auto& word : track.matching_words) add_search_words(words, word);
  for (const auto& ids : track.tags) {
    for (const auto& id : ids) add_search_words(words, id);
  }
  return words;
}

void keep_lost_words(Track& track, const std::vector<std::string>& replaced, std::string_view rule, Counts& counts) {
  if (replaced.empty()) return;
  auto searchable = searched_words(track);
  for (const auto& id : replaced) {
    Words words;
    add_search_words(words, id);
    const bool is_searchable = std::all_of(words.begin(), words.end(), [&](const std::string& word) {
      return searchable.contains(word) || has_inflection(searchable, word);
    });
    if (is_searchable) continue;
    track.matching_words.push_back(id);
    searchable.merge(words);
    ++counts[std::string(rule) + ": word kept for searches"];
  }
}

}  // namespace

TagNormalizer::TagNormalizer() {
  for (const auto& [facet, id, of] : tag_aliases()) {
    const auto colon = of.find(':');
    Target target{true, facet, of.substr(colon == std::string::npos ? of.size() : colon + 1)};
    const auto name = of.substr(0, colon);
    const auto* named = std::find(kFacetNames.begin(), kFacetNames.end(), name);
    if (named != kFacetNames.end()) target.facet = static_cast<Facet>(named - kFacetNames.begin());
    targets_.emplace(std::pair(facet, id), std::move(target));
  }
}

const TagNormalizer::Target* TagNormalizer::find(Facet facet, const std::string& id) const {
  const auto found = targets_.find({facet, id});
  return found == targets_.end() ? nullptr : &found->second;
}

TagNormalizer::Target TagNormalizer::target_of(Facet facet, const std::string& id) const {
  std::vector<std::string> forms{id};
  if (facet == Facet::sfx) {
    forms.push_back(singular(id));
    forms.push_back(id.substr(id.rfind('-') + 1));
    forms.push_back(singular(forms.back()));
  }
  for (const auto& form : forms) {
    if (const auto* target = find(facet, form)) return *target;
  }
  return {};
}

void TagNormalizer::normalize(Track& track, Facet facet, std::string_view rule, Counts& counts) const {
  const auto given = std::exchange(track.tags[static_cast<std::size_t>(facet)], {});
  std::vector<std::string> replaced;
  for (const auto& id : given) {
    const auto target = target_of(facet, id);
    if (!target.id.empty()) add_tags(track.tags[static_cast<std::size_t>(target.facet)], {target.id});
    if (target.id == id && target.facet == facet) continue;
    ++counts[std::string(rule) + (target.id.empty() ? ": tag became a word" : ": tag renamed")];
    replaced.push_back(id);
  }
  keep_lost_words(track, replaced, rule, counts);
}

}  // namespace tonearm::builder
