#pragma once
// The cleaning rules and their names (BUILD-18).

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tonearm::builder {

enum class Rule : std::uint8_t { titles, numbers, descriptions, moods, effects, categories, traits, quality };
inline constexpr std::array<std::string_view, 8> kRuleNames{"titles",  "numbers",    "descriptions", "moods",
                                                            "effects", "categories", "traits",       "quality"};

inline std::optional<Rule> find_rule(std::string_view name) {
  const auto* found = std::find(kRuleNames.begin(), kRuleNames.end(), name);
  if (found == kRuleNames.end()) return std::nullopt;
  return static_cast<Rule>(found - kRuleNames.begin());
}

/// The rules that are on; initially all.
class RuleSet {
 public:
  bool is_on(Rule rule) const { return !off_[static_cast<std::size_t>(rule)]; }
  void turn_off(Rule rule) { off_[static_cast<std::size_t>(rule)] = true; }

 private:
  std::array<bool, kRuleNames.size()> off_{};
};

}  // namespace tonearm::builder
