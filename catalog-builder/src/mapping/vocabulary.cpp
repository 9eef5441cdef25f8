#include "mapping/vocabulary.h"

#include <algorithm>
#include <set>

#include "canonical/check.h"
#include "files/toml_table.h"
#include "runtime/embedded.h"
#include "text/unicode.h"
#include "tonearm/result.h"

namespace tonearm::builder {
namespace {

using native::parse_toml;
using native::TomlTable;

std::string file_of(std::size_t facet) { return "data/" + std::string(kFacetNames[facet]) + ".toml"; }

void add(Vocabulary& vocabulary, std::string_view word, const std::vector<std::string>& targets) {
  auto& all = vocabulary[text::fold_case(word)];
  for (const auto& target : targets) {
    if (std::find(all.begin(), all.end(), target) == all.end()) all.push_back(target);
  }
}

std::string with_spaces(std::string id) {
  std::replace(id.begin(), id.end(), '-', ' ');
  return id;
}

/// Calls `visit` with each tag of a facet's file and its entry.
template <class Visit>
void for_each_tag(std::size_t facet, Visit visit) {
  const auto name = file_of(facet);
  const auto file = parse_toml(embedded_file(name), name);
  const TomlTable table(file, name);
  for (const auto& id : table.keys()) {
    if (!is_tag_id(id)) table.fail(id, "is not a tag id");
    visit(id, table.required_table(id));
  }
}

}  // namespace

bool is_target(std::string_view target) {
  const auto colon = target.find(':');
  if (colon == std::string_view::npos) return false;
  const auto facet = target.substr(0, colon);
  const auto id = target.substr(colon + 1);
  const auto among = [](const auto& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (facet == "tone") return among(kToneNames, id);
  if (facet == "energy") return among(kEnergyNames, id);
  return among(kFacetNames, facet) && is_tag_id(id);
}

bool is_vocabulary_key(std::string_view key) {
  return key == "label" || key == "words" || key == "also" || key == "of" || key == "from";
}

FacetWords facet_words(const std::string& source) {
  FacetWords result;
  for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
    for_each_tag(facet, [&](const std::string& id, const TomlTable& entry) {
      std::vector<std::string> targets{std::string(kFacetNames[facet]) + ":" + id};
      for (auto& target : entry.strings("also")) {
        if (!is_target(target)) entry.fail("also", "must name facet:tag-id, tone:... or energy:..., not " + target);
        targets.push_back(std::move(target));
      }
      auto& general = result.general[facet];
      add(general, id, targets);
      add(general, with_spaces(id), targets);
      if (const auto label = entry.string("label")) add(general, *label, targets);
      for (const auto& word : entry.strings("words")) add(general, word, targets);
      for (const auto& word : entry.strings(source)) add(result.own[facet], word, targets);
    });
  }
  return result;
}

std::vector<TagAlias> tag_aliases() {
  std::vector<TagAlias> result;
  std::set<std::pair<Facet, std::string>> seen;
  const auto name = [](Facet facet, const std::string& id) {
    return id.empty() ? id : std::string(kFacetNames[static_cast<std::size_t>(facet)]) + ":" + id;
  };
  const auto add_once = [&](const TomlTable& entry, Facet facet, const std::string& id, std::string of) {
    if (!seen.emplace(facet, id).second) entry.fail("from", "names " + id + ", which counts as another tag already");
    result.push_back({facet, id, std::move(of)});
  };
  std::set<std::string> canonical;
  for (std::size_t index = 0; index < kFacetCount; ++index) {
    const auto facet = static_cast<Facet>(index);
    const bool is_canonical = facet == Facet::mood || facet == Facet::sfx;
    for_each_tag(index, [&](const std::string& id, const TomlTable& entry) {
      const auto of = entry.string("of");
      if (of && !is_canonical) entry.fail("of", "is only for moods and effects");
      if (is_canonical) add_once(entry, facet, id, name(facet, of.value_or(id)));
      if (!of) canonical.insert(name(facet, id));
      for (const auto& other : entry.strings("from"))
        add_once(entry, facet == Facet::mood ? facet : Facet::sfx, other, name(facet, of.value_or(id)));
    });
  }
  for (const auto& tag : result) {
    if (!tag.of.empty() && !canonical.contains(tag.of))
      throw Failure("data: " + tag.id + " counts as " + tag.of + ", which counts as another");
  }
  return result;
}

TagLabels facet_labels() {
  TagLabels labels;
  for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
    for_each_tag(facet, [&](const std::string& id, const TomlTable& entry) {
      if (const auto label = entry.string("label")) labels[facet][id] = *label;
    });
  }
  return labels;
}

std::vector<std::string> targets_of(const FacetWords& words, const std::vector<Facet>& facets,
                                    const std::string& word) {
  std::vector<std::string> result;
  for (const auto facet : facets) {
    const auto& own = words.own[static_cast<std::size_t>(facet)];
    if (const auto found = own.find(word); found != own.end()) {
      result.insert(result.end(), found->second.begin(), found->second.end());
    }
  }
  for (const auto facet : facets) {
    if (!result.empty()) break;
    const auto& general = words.general[static_cast<std::size_t>(facet)];
    if (const auto found = general.find(word); found != general.end()) result = found->second;
  }
  return result;
}

}  // namespace tonearm::builder
