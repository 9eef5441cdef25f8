#include "cleaning/traits.h"

#include <algorithm>
#include <set>

#include "cleaning/words.h"
#include "files/toml_table.h"
#include "mapping/vocabulary.h"
#include "runtime/embedded.h"

namespace tonearm::builder {
namespace {

using native::parse_toml;
using native::TomlTable;

constexpr std::string_view kLoop = "loop";
constexpr std::string_view kTitle = "title:";

/// Returns the value that the traits name with this prefix; nullopt if there is none, or more than one.
template <class Value, std::size_t Size>
std::optional<Value> single_value(const std::set<std::string>& traits, std::string_view prefix,
                                  const std::array<std::string_view, Size>& names) {
  std::optional<Value> found;
  for (std::size_t i = 0; i < Size; ++i) {
    if (!traits.contains(std::string(prefix) + std::string(names[i]))) continue;
    if (found) return std::nullopt;
    found = static_cast<Value>(i);
  }
  return found;
}

}  // namespace

TraitRules::TraitRules(std::string_view toml, const std::string& file) {
  const auto parsed = parse_toml(toml, file);
  const TomlTable table(parsed, file);
  for (const auto& trait : table.keys()) {
    const bool is_trait =
        trait == kLoop || (is_target(trait) && (trait.starts_with("energy:") || trait.starts_with("tone:")));
    if (!is_trait) table.fail(trait, "must be energy:..., tone:... or loop");
    for (const auto& term : table.strings(trait)) {
      if (!term.starts_with(kTitle) && !is_target(term))
        table.fail(trait, "contains \"" + term + "\", which is not a tag");
      traits_of_[term].push_back(trait);
    }
  }
}

void TraitRules::apply(Track& track, Counts& counts) const {
  std::set<std::string> traits;
  const auto add_traits_of = [&](const std::string& term) {
    const auto found = traits_of_.find(term);
    if (found != traits_of_.end()) traits.insert(found->second.begin(), found->second.end());
  };
  for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
    for (const auto& id : track.tags[facet]) add_traits_of(std::string(kFacetNames[facet]) + ":" + id);
  }
  Words title;
  add_rule_words(title, track.title);
  for (const auto& word : title) add_traits_of(std::string(kTitle) + word);
  const auto energy = single_value<Energy>(traits, "energy:", kEnergyNames);
  if (!track.energy && energy) {
    track.energy = energy;
    ++counts["traits: energy"];
  }
  const auto tone = single_value<Tone>(traits, "tone:", kToneNames);
  if (!track.tone && tone) {
    track.tone = tone;
    ++counts["traits: tone"];
  }
  if (!track.loop && traits.contains(std::string(kLoop))) {
    track.loop = true;
    ++counts["traits: loop"];
  }
}

TraitRules built_in_traits() { return {embedded_file("data/traits.toml"), "data/traits.toml"}; }

}  // namespace tonearm::builder
