#include "input/thesaurus.h"

#include <doctest/doctest.h>

#include <set>

#include "tonearm/result.h"

namespace tonearm::builder {
namespace {

using Sets = std::vector<std::vector<std::string>>;
using Relations = std::vector<PhraseRelation>;

constexpr Relation kNarrower = Relation::narrower;
constexpr Relation kRelated = Relation::related;

std::string parse_failure(std::string_view text) {
  try {
    static_cast<void>(parse_thesaurus(text, "words.txt"));
  } catch (const Failure& failure) {
    return failure.what();
  }
  return "it is read";
}

}  // namespace

// BUILD-5
TEST_CASE("a line is a set of phrases, or the narrower or related phrases of one") {
  const Thesaurus read = parse_thesaurus(
      "rain, rainfall ,shower\r\n\nalone\n  dog > labrador,  puppy 0.5 ,, hot dog\ngun~pistol, a>b\n"
      "gun ~ pistol 0.25, 8 bit 0.004\nrock 2.0, >rock, rock~\n",
      "words.txt");
  CHECK(read.synonyms == Sets{{"rain", "rainfall", "shower"}, {"gun~pistol", "a>b"}, {"rock 2.0", ">rock", "rock~"}});
  CHECK(read.relations == Relations{{"dog", "labrador", kNarrower, 102},
                                    {"dog", "puppy", kNarrower, 128},
                                    {"dog", "hot dog", kNarrower, 102},
                                    {"gun", "pistol", kRelated, 64},
                                    {"gun", "8 bit", kRelated, 1}});
  CHECK(parse_thesaurus("gun ~ pistol", "words.txt").relations == Relations{{"gun", "pistol", kRelated, 51}});
}

// BUILD-5
TEST_CASE("a malformed relation is an error that names the file, the line and the fault") {
  CHECK(parse_failure("a, b\ndog > puppy > labrador") == "words.txt:2: has more than one > or ~");
  CHECK(parse_failure("> labrador") == "words.txt:1: needs one phrase before > or ~");
  CHECK(parse_failure("dog, hound > labrador") == "words.txt:1: needs one phrase before > or ~");
  CHECK(parse_failure("dog >") == "words.txt:1: has no phrase after > or ~");
  CHECK(parse_failure("dog ~ ,") == "words.txt:1: has no phrase after > or ~");
  CHECK(parse_failure("dog ~ ?") == "words.txt:1: has a phrase without a word");
  CHECK(parse_failure("dog ~ 0.5") == "words.txt:1: has a phrase without a word");
  CHECK(parse_failure("dog ~ one two three four") ==
        "words.txt:1: has a phrase of more than 3 words: one two three four");
  CHECK(parse_failure("hip-hop old school ~ rap") ==
        "words.txt:1: has a phrase of more than 3 words: hip-hop old school");
  for (const std::string weight : {"1.0", "0.0", "0.0001", "-0.5", "2.5"}) {
    CHECK(parse_failure("dog ~ leash " + weight) == "words.txt:1: has a weight that is not between 0 and 1: " + weight);
  }
  CHECK(parse_failure("\xff, c") == "words.txt:1: is not UTF-8");
}

TEST_CASE("the built-in thesaurus has all relations, and none twice") {
  const Thesaurus built_in = built_in_thesaurus();
  CHECK(built_in.synonyms.size() > 50);
  std::set<std::pair<std::string, std::string>> pairs;
  std::set<Relation> kinds;
  for (const PhraseRelation& relation : built_in.relations) {
    CAPTURE(relation.phrase);
    CAPTURE(relation.target);
    CHECK(pairs.emplace(relation.phrase, relation.target).second);
    kinds.insert(relation.relation);
  }
  CHECK(kinds.size() == 2);
}

}  // namespace tonearm::builder
