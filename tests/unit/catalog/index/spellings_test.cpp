#include "catalog/index/spellings.h"

#include <doctest/doctest.h>

#include <bit>

using namespace tonearm;
using namespace tonearm::catalog;

namespace {

std::vector<Spelling> selected(SpellingList list, const std::vector<std::string>& texts) {
  std::vector<Spelling> spellings;
  for (const std::string& text : texts) {
    if (auto folded = fold_spelling(list, text)) spellings.push_back({text, *folded, {2, 3}});
  }
  select_spellings(spellings);
  return spellings;
}

std::vector<std::string> texts_of(const Spellings& spellings, SpellingList list, const LengthRange& lengths) {
  std::vector<std::string> texts;
  std::string buffer;
  spellings.each(list, lengths, [&](const Spellings::Entry& entry, const Spellings::TextRange& range) {
    CHECK(entry.counts == std::array<std::uint32_t, 2>{2, 3});
    texts.emplace_back(spellings.text(list, range, buffer));
  });
  return texts;
}

}  // namespace

TEST_CASE("spellings are read by their length in letters") {
  const std::string section = encode_spellings({selected(SpellingList::words, {"rain", "piano", "сад", "a", "drum"}),
                                                selected(SpellingList::creators, {"Ann Doe", "Éva", "Straße"})});
  const Spellings spellings{Extent(section)};
  using Texts = std::vector<std::string>;
  CHECK(texts_of(spellings, SpellingList::words, {}) == Texts{"a", "сад", "drum", "rain", "piano"});
  CHECK(texts_of(spellings, SpellingList::words, {3, 4}) == Texts{"сад", "drum", "rain"});
  CHECK(texts_of(spellings, SpellingList::words, {6, 64}).empty());
  // The folded name has seven letters: strasse.
  CHECK(texts_of(spellings, SpellingList::creators, {7, 7}) == Texts{"Ann Doe", "Straße"});
  CHECK(texts_of(spellings, SpellingList::creators, {3, 3}) == Texts{"Éva"});
}

TEST_CASE("only texts of 1 to 64 letters are spellings (SUGGEST-7)") {
  CHECK_FALSE(fold_spelling(SpellingList::words, ""));
  CHECK_FALSE(fold_spelling(SpellingList::words, "\xff"));
  CHECK_FALSE(fold_spelling(SpellingList::words, std::string(65, 'a')));
  CHECK(fold_spelling(SpellingList::words, std::string(64, 'a')));
  CHECK(fold_spelling(SpellingList::creators, "ÉVA") == U"éva");
}

TEST_CASE("of too many spellings, those with the most tracks are kept (SUGGEST-7)") {
  std::vector<Spelling> spellings;
  for (std::uint32_t i = 0; i < kSpellingsMax + 5; ++i) {
    const std::string text = "word" + std::to_string(i);
    spellings.push_back({text, *fold_spelling(SpellingList::words, text), {i < 5 ? 1U : 2U, 0}});
  }
  select_spellings(spellings);
  CHECK(spellings.size() == kSpellingsMax);
  CHECK(spellings.front().text == "word5");
}

TEST_CASE("an edit changes at most two bits of the set of letters") {
  CHECK(std::popcount(letter_set(U"piano") ^ letter_set(U"pinao")) == 0);
  CHECK(std::popcount(letter_set(U"piano") ^ letter_set(U"pianos")) == 1);
  CHECK(std::popcount(letter_set(U"piano") ^ letter_set(U"pieno")) == 2);
}
