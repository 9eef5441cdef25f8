#pragma once
// Collects the section `spellings` while tracks are added by position.

#include <string>
#include <string_view>

#include "catalog/index/spellings.h"
#include "catalog/writer/track_terms.h"
#include "text/text_table.h"

namespace tonearm::catalog {

class SpellingsBuilder {
 public:
  /// REQUIRES: positions ascend from call to call; the track is not taken down; `text` belongs to it.
  void add(std::uint32_t position, const Track& track, const TrackText& text, Tokenizer& tokenizer);
  /// Returns the section. `creators`: the section of that name. REQUIRES: it lists artists of tracks that were added.
  std::string finish(std::string_view creators, Tokenizer& tokenizer) const;

 private:
  struct SpellingCount {
    std::array<std::uint32_t, kKindNames.size()> counts{};
    std::uint32_t after_last = 0;  // the position of the last track, plus one
  };
  text::TextTable<SpellingCount> words_;
  text::TextTable<SpellingCount> creators_;  // by folded name
};

}  // namespace tonearm::catalog
