#include "catalog/query/unwanted.h"

#include <doctest/doctest.h>

#include "tonearm/sqlite.h"

using namespace tonearm;
using namespace tonearm::catalog;

namespace {

struct Splitter {
  sql::SqliteHandle database = sql::open_sqlite(":memory:", sql::OpenMode::read_write_create);
  Tokenizer tokenizer{database.get()};
  Synonyms synonyms;

  /// Returns the words of `q` that are wanted, then a line for each unwanted word.
  std::string split(std::string_view q) {
    const std::vector<Token> tokens = tokenizer.tokens(q);
    const std::vector<TokenRole> roles = token_roles(q, tokens, synonyms);
    std::string text;
    for (const Token& token : tokens_with(TokenRole::wanted, tokens, roles)) text += token.folded + ' ';
    for (const TermSet& terms : unwanted_term_sets(tokens, roles)) {
      text += "|";
      for (const std::string& term : terms) text += ' ' + term;
    }
    return text;
  }
};

}  // namespace

TEST_CASE("the word after `no` or `without` is not wanted (AUTO-5)") {
  Splitter splitter;
  CHECK(splitter.split("piano no drums") == "piano | drum");
  CHECK(splitter.split("Without DRUMS piano") == "piano | drum");
  CHECK(splitter.split("calm piano, no drums, no vocals.") == "calm piano | drum| vocal");
  CHECK(splitter.split("piano without any drums and strings") == "piano and strings | drum");
  CHECK(splitter.split("piano no hip-hop beat") == "piano beat | hip hop");
}

TEST_CASE("any white space separates words, and commas and slashes precede `no` too (AUTO-5)") {
  Splitter splitter;
  CHECK(splitter.split("piano no\xc2\xa0"
                       "drums") == "piano | drum");  // no-break space
  CHECK(splitter.split("piano\xe3\x80\x80no\xe3\x80\x80"
                       "drums\xe3\x80\x80"
                       "calm") == "piano calm | drum");  // ideographic
  for (const std::string separator : {",", ";", "/", "|", " ,"}) {
    CHECK(splitter.split("piano" + separator + "no drums") == "piano | drum");
  }
  CHECK(splitter.split("piano_no drums") == "piano no drums ");
}

TEST_CASE("a phrase of a synonym set is not wanted as a whole (AUTO-5)") {
  Splitter splitter;
  splitter.synonyms.add_set({"drum and bass", "dnb"}, splitter.tokenizer);
  CHECK(splitter.split("piano no drum and bass loop") == "piano loop | and bass drum");
}

TEST_CASE("`no` is a word where it excludes nothing (AUTO-5)") {
  Splitter splitter;
  CHECK(splitter.split("no") == "no ");
  CHECK(splitter.split("rain no") == "rain no ");
  CHECK(splitter.split("rain without the") == "rain without the ");
  // Otherwise no word would be left.
  CHECK(splitter.split("no woman no cry") == "no woman no cry ");
  CHECK(splitter.split("no-input mixer") == "no input mixer ");
  CHECK(splitter.split("rain noise") == "rain noise ");
}
