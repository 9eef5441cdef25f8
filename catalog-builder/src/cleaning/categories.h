#pragma once
// Assigns categories of the sound taxonomy by rules over words (BUILD-20). The rules are data: data/categories.toml.
//
//   [[sure]]                     # or [[else]], which applies only if no sure rule does
//   category = "fx-a"
//   words    = ["dog", "horse+snort"]   # one of these; + requires both
//   unless   = ["toy"]                  # none of these
//   max_s    = 20                       # maximum length
//
// Rules that disagree assign nothing, because a wrong category is worse than none. Thread-safe after construction.

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
  /// Throws Failure for invalid rules. `file`: for messages.
  CategoryRules(std::string_view toml, const std::string& file);

  /// Returns the category of an effect; nullopt if the rules assign none.
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
