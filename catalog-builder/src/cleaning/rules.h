#pragma once
// The cleaning rules and their names (BUILD-18).

#include <array>
#include <cstdint>
#include <string_view>

namespace tonearm::builder {

enum class Rule : std::uint8_t { titles, numbers, moods, effects, categories, traits, quality };
inline constexpr std::array<std::string_view, 7> kRuleNames{"titles",     "numbers", "moods",  "effects",
                                                            "categories", "traits",  "quality"};

/// The rules that are on; initially all.
class RuleSet {
 public:
  bool is_on(Rule rule) const { return !off_[static_cast<std::size_t>(rule)]; }
  void turn_off(Rule rule) { off_[static_cast<std::size_t>(rule)] = true; }

 private:
  std::array<bool, kRuleNames.size()> off_{};
};

}  // namespace tonearm::builder
