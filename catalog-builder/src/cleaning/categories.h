#pragma once
// Categories of the sound taxonomy by rules over words (BUILD-20), as data: data/categories.toml.
//
//   [[sure]]                     # or [[else]]: those count only where no sure rule applies
//   category = "fx-a"
//   words    = ["dog", "horse+snort"]   # one of these; + asks for both
//   unless   = ["toy"]                  # none of these
//   max_s    = 20                       # no longer track
//
// Two rules that apply and disagree decide nothing, because a wrong category is worse than none. Thread-safe once made.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cleaning/words.h"
#include "tonearm/track.h"

namespace tonearm::builder {

class CategoryRules {
 public:
  /// Throws Failure for rules that are not understood, among them one for speech. `file`: for messages.
  CategoryRules(std::string_view toml, const std::string& file);

  /// The category of an effect; nothing where the rules do not tell.
  std::optional<std::uint8_t> category_of(const Track& track) const;

 private:
  using AllOf = std::vector<std::string>;
  struct CategoryRule {
    std::uint8_t category = 0;
    std::vector<AllOf> words;
    std::vector<AllOf> unless;
    std::optional<std::uint64_t> max_ms;
  };
  static bool applies(const CategoryRule& rule, const Words& words, std::uint64_t duration_ms);

  std::array<std::vector<CategoryRule>, 2> ranks_;
};

/// The rules that are compiled in.
CategoryRules built_in_categories();

}  // namespace tonearm::builder
