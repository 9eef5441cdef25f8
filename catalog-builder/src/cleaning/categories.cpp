#include "cleaning/categories.h"

#include <algorithm>

#include "files/toml_table.h"
#include "runtime/embedded.h"
#include "text/split.h"

namespace tonearm::builder {
namespace {

using native::parse_toml;
using native::TomlTable;

constexpr std::array<std::string_view, 2> kRanks{"sure", "else"};
constexpr std::uint64_t kMsPerSecond = 1000;

bool has_all(const Words& words, const std::vector<std::string>& parts) {
  return std::all_of(parts.begin(), parts.end(), [&](const std::string& part) { return words.contains(part); });
}

std::vector<std::vector<std::string>> alternatives(const TomlTable& table, std::string_view key) {
  std::vector<std::vector<std::string>> result;
  for (const auto& text : table.strings(key)) {
    const auto split = text::split(text, '+');
    std::vector<std::string> parts(split.begin(), split.end());
    for (const auto& part : parts) {
      if (part.empty()) table.fail(key, "contains \"" + text + "\", which lacks a word");
    }
    result.push_back(std::move(parts));
  }
  return result;
}

}  // namespace

CategoryRules::CategoryRules(std::string_view toml, const std::string& file) {
  const auto parsed = parse_toml(toml, file);
  const TomlTable table(parsed, file);
  table.allow_only({kRanks.begin(), kRanks.end()});
  for (std::size_t rank = 0; rank < kRanks.size(); ++rank) {
    for (const auto& entry : table.tables(kRanks[rank])) {
      entry.allow_only({"category", "words", "unless", "max_s"});
      const auto id = entry.required_string("category");
      const auto category = find_category(id);
      if (!category) entry.fail("category", "is \"" + id + "\", which is not in the taxonomy");
      CategoryRule rule{*category, alternatives(entry, "words"), alternatives(entry, "unless"), std::nullopt};
      if (rule.words.empty()) entry.fail("words", "is missing");
      if (const auto seconds = entry.integer("max_s")) {
        if (*seconds <= 0) entry.fail("max_s", "must be above 0");
        rule.max_ms = static_cast<std::uint64_t>(*seconds) * kMsPerSecond;
      }
      ranks_[rank].push_back(std::move(rule));
    }
  }
}

bool CategoryRules::applies(const CategoryRule& rule, const Words& words, std::uint64_t duration_ms) {
  if (rule.max_ms && duration_ms > *rule.max_ms) return false;
  const auto is_present = [&](const AllOf& parts) { return has_all(words, parts); };
  return std::none_of(rule.unless.begin(), rule.unless.end(), is_present) &&
         std::any_of(rule.words.begin(), rule.words.end(), is_present);
}

std::optional<std::uint8_t> CategoryRules::category_of(const Track& track) const {
  if (track.kind != Kind::sfx) return std::nullopt;
  const auto words = rule_words(track);
  for (const auto& rank : ranks_) {
    std::optional<std::uint8_t> found;
    for (const auto& rule : rank) {
      if (!applies(rule, words, track.duration_ms)) continue;
      if (found && *found != rule.category) return std::nullopt;
      found = rule.category;
    }
    if (found) return found;
  }
  return std::nullopt;
}

CategoryRules built_in_categories() { return {embedded_file("data/categories.toml"), "data/categories.toml"}; }

}  // namespace tonearm::builder
