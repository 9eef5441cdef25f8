#include "vocabulary.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>

#include "tonearm/sqlite.h"

namespace tonearm::bench {
namespace {

constexpr std::string_view kConsonants = "bdgklmnrstvz";
constexpr std::string_view kVowels = "aeiou";
constexpr std::string_view kLastVowels = "ou";
constexpr std::uint32_t kSyllables = 60;
constexpr std::uint32_t kLastSyllables = 24;
/// The numbers of words of two, three and four syllables.
constexpr std::array<std::uint32_t, 3> kWordsOfLength{1'440, 60 * 1'440, 60 * 60 * 1'440};
/// Coprime to these, and close to the golden ratio of them, so that words of neighboring ranks look different.
constexpr std::array<std::uint64_t, 3> kStrides{887, 53'399, 3'203'711};

std::string syllables(std::uint32_t number, std::size_t count) {
  std::string last{kConsonants[number / 2 % 12], kLastVowels[number % 2]};
  number /= kLastSyllables;
  std::string all;
  for (; count > 1; --count) {
    all += kConsonants[number / 5 % 12];
    all += kVowels[number % 5];
    number /= kSyllables;
  }
  return all + last;
}

}  // namespace

std::string word(std::uint32_t rank) {
  std::size_t length = 0;
  while (rank >= kWordsOfLength.at(length)) rank -= kWordsOfLength.at(length++);
  return syllables(static_cast<std::uint32_t>(rank * kStrides.at(length) % kWordsOfLength.at(length)), length + 2);
}

Zipf::Zipf(std::uint32_t count, std::uint32_t flatness) : sums_(count) {
  constexpr std::uint64_t kScale = std::uint64_t{1} << 40U;
  std::uint64_t sum = 0;
  for (std::uint32_t rank = 0; rank < count; ++rank) sums_[rank] = sum += kScale / (rank + flatness);
}

std::uint32_t Zipf::draw(test::SeededRandom& random) const {
  const auto drawn = std::upper_bound(sums_.begin(), sums_.end(), random.below(sums_.back()));
  return static_cast<std::uint32_t>(drawn - sums_.begin());
}

void check_vocabulary(const std::set<std::string>& reserved) {
  std::vector<std::string> words(kVocabularySize);
  for (std::uint32_t rank = 0; rank < kVocabularySize; ++rank) {
    words[rank] = word(rank);
    if (reserved.count(words[rank]) != 0) throw std::logic_error("the made-up word " + words[rank] + " has a meaning");
  }
  const auto database = sql::open_sqlite(":memory:", sql::OpenMode::read_write_create);
  sql::execute(database.get(),
               "CREATE VIRTUAL TABLE words USING fts5 (text, content='', detail=none, columnsize=0,"
               " tokenize='porter unicode61 remove_diacritics 2');"
               "CREATE VIRTUAL TABLE stems USING fts5vocab (words, row);");
  std::string text;
  for (const auto& each : words) text += each + ' ';
  sql::Statement insert(database.get(), "INSERT INTO words (rowid, text) VALUES (1, ?1)");
  insert.bind_text(1, text);
  insert.run();
  std::sort(words.begin(), words.end());
  if (std::adjacent_find(words.begin(), words.end()) != words.end()) {
    throw std::logic_error("two ranks have the same made-up word");
  }
  sql::Statement stems(database.get(), "SELECT term FROM stems ORDER BY term");
  for (const auto& each : words) {
    if (!stems.step() || stems.text(0) != each) throw std::logic_error("the stemmer changes the made-up word " + each);
  }
}

}  // namespace tonearm::bench
