#include "catalog/query/query_terms.h"

#include <doctest/doctest.h>

#include "tonearm/sqlite.h"

using namespace tonearm;
using namespace tonearm::catalog;

namespace {

struct Setup {
  sql::SqliteHandle database = sql::open_sqlite(":memory:", sql::OpenMode::read_write_create);
  Tokenizer tokenizer{database.get()};
  Synonyms synonyms;

  /// Without the hashes of phrases and the ids of tags.
  std::vector<Clause> clauses(std::string_view q) {
    std::vector<Clause> clauses = make_clauses(split_clauses(tokenizer.tokens(q), synonyms));
    for (Clause& clause : clauses) {
      clause.phrases.clear();
      clause.tags.clear();
    }
    return clauses;
  }
};

Clause term(const std::string& stem) { return {{{stem}}, {{stem}}}; }

using Clauses = std::vector<Clause>;

}  // namespace

TEST_CASE("terms are those of FTS5: no case, no diacritics, no inflection, split at hyphens") {
  Setup setup;
  CHECK(setup.clauses("Hip-Hop") == Clauses{term("hip"), term("hop")});
  CHECK(setup.clauses("CAF\xc3\x89 Running") == Clauses{term("cafe"), term("run")});
  CHECK(setup.clauses("!! -- \"'").empty());
}

TEST_CASE("a clause has the ids of the tags that its texts are") {
  Setup setup;
  setup.synonyms.add_set({"hip hop", "hiphop"}, setup.tokenizer);
  const auto clauses = make_clauses(split_clauses(setup.tokenizer.tokens("lofi Hip Hop hiphop"), setup.synonyms));
  REQUIRE(clauses.size() == 2);
  CHECK(clauses[0].tags == std::vector<std::string>{"lofi"});
  CHECK(clauses[1].tags == std::vector<std::string>{"hip-hop", "hiphop"});
}

TEST_CASE("a token has its offsets in the text") {
  Setup setup;
  const auto tokens = setup.tokenizer.tokens("  Rainy d\xc3\xa9j\xc3\xa0 vu");
  REQUIRE(tokens.size() == 3);
  CHECK(tokens[0].begin == 2);
  CHECK(tokens[0].end == 7);
  CHECK(tokens[0].stem == "raini");
  CHECK(tokens[0].folded == "rainy");
  CHECK(tokens[1].end - tokens[1].begin == 6);
  CHECK(tokens[1].folded == "deja");
}

TEST_CASE("function words are dropped unless there is no other word") {
  Setup setup;
  CHECK(setup.clauses("the sound of rain") == Clauses{term("rain")});
  CHECK(setup.clauses("Songs") == Clauses{term("song")});
  CHECK(setup.clauses("the music") == Clauses{term("the"), term("music")});
}

TEST_CASE("words that only share the stem of a function word are kept") {
  Setup setup;
  CHECK(setup.clauses("musical rain") == Clauses{term("music"), term("rain")});
  CHECK(setup.clauses("ours rain") == Clauses{term("our"), term("rain")});
}

TEST_CASE("a repeated word counts once") {
  Setup setup;
  CHECK(setup.clauses("rain Rain raining") == Clauses{term("rain")});
}

TEST_CASE("the longest synonym is found before function words are dropped") {
  Setup setup;
  setup.synonyms.add_set({"sound of rain", "downpour"}, setup.tokenizer);
  setup.synonyms.add_set({"rain", "drizzle"}, setup.tokenizer);
  CHECK(setup.clauses("Sound of Rain") ==
        Clauses{{{{"downpour"}, {"of", "rain", "sound"}}, {{"of", "rain", "sound"}}}});
  const auto clauses = setup.clauses("sound of the rain");
  CHECK(clauses == Clauses{{{{"drizzl"}, {"rain"}}, {{"rain"}}}});
  CHECK(setup.clauses("drizzles piano") == Clauses{{{{"drizzl"}, {"rain"}}, {{"drizzl"}}}, term("piano")});
}

TEST_CASE("a text in several sets is a synonym of every text in them") {
  Setup setup;
  setup.synonyms.add_set({"score", "film music"}, setup.tokenizer);
  setup.synonyms.add_set({"score", "points", "!!"}, setup.tokenizer);
  CHECK(setup.clauses("score") == Clauses{{{{"film", "music"}, {"point"}, {"score"}}, {{"score"}}}});
}

TEST_CASE("a word and its synonym in one query make one clause with both as query terms") {
  Setup setup;
  setup.synonyms.add_set({"rain", "drizzle", "downpour"}, setup.tokenizer);
  CHECK(setup.clauses("drizzle rain drizzle") ==
        Clauses{{{{"downpour"}, {"drizzl"}, {"rain"}}, {{"drizzl"}, {"rain"}}}});
}
