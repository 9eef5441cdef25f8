#include "catalog/query_words.h"

#include <doctest/doctest.h>

#include "tonearm/sql.h"

using namespace tonearm;
using namespace tonearm::catalog;

namespace {

struct Setup {
  sql::SqliteHandle database = sql::open_sqlite(":memory:", sql::OpenMode::read_write_create);
  Tokenizer tokenizer{database.get()};
  Synonyms synonyms;

  std::vector<WordGroup> groups(std::string_view q) { return group_words(tokenizer.words(q), synonyms); }
};

WordGroup word(const std::string& stem) { return {{{stem}}, {{stem}}}; }

using Groups = std::vector<WordGroup>;

}  // namespace

TEST_CASE("words are those of FTS5: no case, no diacritics, no inflection, hyphens part") {
  Setup setup;
  CHECK(setup.groups("Hip-Hop") == Groups{word("hip"), word("hop")});
  CHECK(setup.groups("CAF\xc3\x89 Running") == Groups{word("cafe"), word("run")});
  CHECK(setup.groups("!! -- \"'").empty());
}

TEST_CASE("a word knows its place in the text") {
  Setup setup;
  const auto words = setup.tokenizer.words("  Rainy d\xc3\xa9j\xc3\xa0 vu");
  REQUIRE(words.size() == 3);
  CHECK(words[0].begin == 2);
  CHECK(words[0].end == 7);
  CHECK(words[0].stem == "raini");
  CHECK(words[0].folded == "rainy");
  CHECK(words[1].end - words[1].begin == 6);
  CHECK(words[1].folded == "deja");
}

TEST_CASE("function words go unless there is no other word") {
  Setup setup;
  CHECK(setup.groups("the sound of rain") == Groups{word("rain")});
  CHECK(setup.groups("Songs") == Groups{word("song")});
  CHECK(setup.groups("the music") == Groups{word("the"), word("music")});
}

TEST_CASE("words that only share the stem of a function word stay") {
  Setup setup;
  CHECK(setup.groups("musical rain") == Groups{word("music"), word("rain")});
  CHECK(setup.groups("ours rain") == Groups{word("our"), word("rain")});
}

TEST_CASE("a repeated word counts once") {
  Setup setup;
  CHECK(setup.groups("rain Rain raining") == Groups{word("rain")});
}

TEST_CASE("the longest phrase of the synonyms is found before function words go") {
  Setup setup;
  setup.synonyms.add_set({"sound of rain", "downpour"}, setup.tokenizer);
  setup.synonyms.add_set({"rain", "drizzle"}, setup.tokenizer);
  CHECK(setup.groups("Sound of Rain") == Groups{{{{"downpour"}, {"of", "rain", "sound"}}, {{"of", "rain", "sound"}}}});
  const auto groups = setup.groups("sound of the rain");
  CHECK(groups == Groups{{{{"drizzl"}, {"rain"}}, {{"rain"}}}});
  CHECK(setup.groups("drizzles piano") == Groups{{{{"drizzl"}, {"rain"}}, {{"drizzl"}}}, word("piano")});
}

TEST_CASE("a phrase of several sets means what all of them mean") {
  Setup setup;
  setup.synonyms.add_set({"score", "film music"}, setup.tokenizer);
  setup.synonyms.add_set({"score", "points", "!!"}, setup.tokenizer);
  CHECK(setup.groups("score") == Groups{{{{"film", "music"}, {"point"}, {"score"}}, {{"score"}}}});
}

TEST_CASE("a word and its synonym make one group, of which both are asked for") {
  Setup setup;
  setup.synonyms.add_set({"rain", "drizzle", "downpour"}, setup.tokenizer);
  CHECK(setup.groups("drizzle rain drizzle") == Groups{{{{"downpour"}, {"drizzl"}, {"rain"}}, {{"drizzl"}, {"rain"}}}});
}
