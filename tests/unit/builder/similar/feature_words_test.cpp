#include "similar/feature_words.h"

#include <doctest/doctest.h>

namespace tonearm::builder {
namespace {

using Words = std::vector<std::string>;

Words words_of(Kind kind, std::string_view text) {
  Words words;
  WordReader().each_word(kind, text, [&](const std::string& word) { words.push_back(word); });
  return words;
}

}  // namespace

// BUILD-4, SEARCH-2
TEST_CASE("texts of music are split into words, those of effects into stems without digits") {
  CHECK(words_of(Kind::music, "Dancing in the Cafés of 1999") == Words{"dancing", "the", "cafes", "1999"});
  CHECK(words_of(Kind::music, "").empty());
  CHECK(words_of(Kind::music, "rain01 HeavyRain") == Words{"rain01", "heavyrain"});
  CHECK(words_of(Kind::sfx, "Dancing in the Cafés of 1999") == Words{"danc", "the", "cafe"});
  CHECK(words_of(Kind::sfx, "rain01 HeavyRain x2y 128") == Words{"rain", "heavi", "rain"});
}

TEST_CASE("function words and words about files are known by their stems") {
  const WordTable table;
  CHECK(table.is_stop_word("song"));
  CHECK(table.is_stop_word("this"));
  CHECK(table.is_stop_word("thi"));
  CHECK(table.is_stop_word("their"));
  CHECK_FALSE(table.is_stop_word("rain"));
  CHECK(table.is_file_word("stereo"));
  CHECK(table.is_file_word("record"));
  CHECK_FALSE(table.is_file_word("rain"));
}

TEST_CASE("wider words are the first synonym and the broader words, and phrases of several words have none") {
  const WordTable table({{{"sea", "ocean", "deep sea"}, {"sounds", "noises"}},
                         {{"rain", "drizzle", Relation::narrower, 100},
                          {"water", "drizzle", Relation::narrower, 100},
                          {"water", "tap water", Relation::narrower, 100},
                          {"gun", "reload", Relation::related, 100}}});
  CHECK(table.wider("ocean") == Words{"sea"});
  CHECK(table.wider("sea").empty());
  CHECK(table.wider("drizzl") == Words{"rain", "water"});
  CHECK(table.wider("tap").empty());
  CHECK(table.wider("reload").empty());
  CHECK(table.wider("nois").empty());  // "sound" is in any text
}

}  // namespace tonearm::builder
