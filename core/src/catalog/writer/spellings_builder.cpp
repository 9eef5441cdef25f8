#include "catalog/writer/spellings_builder.h"

#include "catalog/index/listing.h"
#include "text/unicode.h"

namespace tonearm::catalog {

void SpellingsBuilder::add(std::uint32_t position, const Track& track, const TrackText& text, Tokenizer& tokenizer) {
  const auto count = [&](SpellingCount& spelling) {
    if (spelling.after_last == position + 1) return;
    spelling.after_last = position + 1;
    ++spelling.counts.at(static_cast<std::size_t>(track.kind));
  };
  std::vector<std::string> words;
  tokenizer.each_folded(joined(text), [&](std::string_view word) { words.emplace_back(word); });
  for (SpellingCount* spelling : words_.find_or_insert(words)) count(*spelling);
  if (!track.artist.empty()) count(creators_[text::fold_case(track.artist)]);
}

std::string SpellingsBuilder::finish(std::string_view creators, Tokenizer& tokenizer) const {
  std::array<std::vector<Spelling>, kSpellingListCount> lists;
  const auto add = [&](SpellingList list, std::string_view text, const SpellingCount& spelling) {
    auto folded = fold_spelling(list, text);
    if (!folded) return;
    lists.at(static_cast<std::size_t>(list)).push_back({std::string(text), std::move(*folded), spelling.counts});
  };
  words_.each([&](const auto& word) {
    if (is_word(word.text, tokenizer)) add(SpellingList::words, word.text, word.value);
  });
  each_creator(Extent(creators), [&](std::string_view folded, std::string_view name, std::uint32_t) {
    add(SpellingList::creators, name, *creators_.find(folded));
    return true;
  });
  for (auto& list : lists) select_spellings(list);
  return encode_spellings(lists);
}

}  // namespace tonearm::catalog
