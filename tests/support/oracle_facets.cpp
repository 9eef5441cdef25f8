// The facet counts of a search (SEARCH-11): one loop over the matches for each facet.

#include <algorithm>

#include "oracle.h"
#include "text/unicode.h"

namespace tonearm::test::oracle {
namespace {

std::string capitalized(std::string word) {
  if (!word.empty() && word[0] >= 'a' && word[0] <= 'z') word[0] = static_cast<char>(word[0] - 'a' + 'A');
  return word;
}

/// META-5: "hip-hop" gives "Hip-Hop", "lo_fi" gives "Lo Fi".
std::string words_of_tag(const std::string& tag) {
  std::string label;
  std::string word;
  for (const char c : tag) {
    if (c != '-' && c != '_') {
      word += c;
      continue;
    }
    label += capitalized(word) + (c == '_' ? ' ' : c);
    word.clear();
  }
  return label + capitalized(word);
}

}  // namespace

std::vector<Oracle::Value> Oracle::values_of(const Track& track, const std::string& facet) const {
  std::vector<Value> values;
  for (std::size_t i = 0; i < kFacetCount; ++i) {
    if (facet != kFacetNames[i]) continue;
    for (const std::string& tag : track.tags[i]) {
      const auto label = tag_labels_[i].find(tag);
      values.emplace_back(tag, label == tag_labels_[i].end() ? words_of_tag(tag) : label->second);
    }
  }
  if (facet == "category" && track.category) {
    values.emplace_back(kCategories[*track.category].id, kCategories[*track.category].label);
  }
  const auto add_name = [&](std::string_view name) {
    values.emplace_back(std::string(name), capitalized(std::string(name)));
  };
  if (facet == "energy" && track.energy) add_name(kEnergyNames[static_cast<std::size_t>(*track.energy)]);
  if (facet == "tone" && track.tone) add_name(kToneNames[static_cast<std::size_t>(*track.tone)]);
  if (facet == "license") values.emplace_back(license(track.license).name_id, license(track.license).name);
  if (facet == "source") values.emplace_back(text::fold_case(track.source), text::fold_case(track.source));
  if (facet == "creator" && !track.artist.empty()) {
    const std::string& name = spellings_.at(text::fold_case(track.artist));
    values.emplace_back(name, name);
  }
  return values;
}

void Oracle::choose_spellings() {
  std::map<std::string, std::map<std::string, std::size_t>> spellings;
  for (const Track& track : tracks_) {
    if (!track.taken_down) ++spellings[text::fold_case(track.artist)][track.artist];
  }
  for (const auto& [folded, counts] : spellings) {
    std::size_t most = 0;
    for (const auto& [spelling, count] : counts) {
      if (count <= most) continue;
      most = count;
      spellings_[folded] = spelling;
    }
  }
}

std::vector<Oracle::Counted> Oracle::facet_counts(const Parameters& parameters, const std::string& facet) const {
  Parameters wider = parameters;
  wider.erase(facet);
  std::map<Value, std::size_t> counts;
  for (const std::size_t track : ordered(wider)) {
    for (const Value& value : values_of(tracks_[track], facet)) ++counts[value];
  }
  std::vector<Counted> counted(counts.begin(), counts.end());
  std::stable_sort(counted.begin(), counted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  counted.resize(std::min<std::size_t>(counted.size(), 50));
  return counted;
}

}  // namespace tonearm::test::oracle
