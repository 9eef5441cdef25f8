#include "api/requests/hints.h"

#include <doctest/doctest.h>

#include <array>
#include <string>

#include "reflection/parameters.h"
#include "table/arguments.h"

namespace tonearm::api {
namespace {

using std::string_view;

constexpr std::array<string_view, 4> kMoods{"calm", "groovy", "happy", "sad"};

}  // namespace

TEST_CASE("A near match is at most two edits away, or one edit for a short word") {
  const std::array<string_view, 3> names{"genre", "mood", "tone"};
  CHECK(near_match("genres", names) == "genre");
  CHECK(near_match("modo", names) == "mood");
  CHECK_FALSE(near_match("instrument", names).has_value());
  CHECK(near_match("TONE", names) == "tone");
  for (const string_view far : {"", "m", "bene", "\xff\xfe"}) CHECK_FALSE(near_match(far, names).has_value());
}

TEST_CASE("SUGGEST-9: a value is near by meaning, else by spelling") {
  CHECK(near_choice("mood", "peaceful", kMoods) == "calm");
  CHECK(near_choice("mood", "clam", kMoods) == "calm");
  CHECK(near_choice("mood", "gloomy", kMoods) == "groovy");  // "dark" is none of them
  const std::array<string_view, 2> with_dark{"dark", "groovy"};
  CHECK(near_choice("mood", "gloomy", with_dark) == "dark");
  CHECK_FALSE(near_choice("mood", "zzzz", kMoods).has_value());
  const std::array<string_view, 1> sources{"calm"};
  CHECK_FALSE(near_choice("source", "peaceful", sources).has_value());
}

TEST_CASE("Only case and punctuation differ") {
  const std::array<string_view, 2> licenses{"cc-by-3.0", "cc0"};
  CHECK(same_letters("CC_BY 3.0", licenses) == "cc-by-3.0");
  CHECK_FALSE(same_letters("cc-by", licenses).has_value());
  CHECK_FALSE(same_letters("", licenses).has_value());
}

TEST_CASE("ERROR-3: the id that a tag has if it is written as a label") {
  const struct {
    string_view word;
    string_view id;
  } rows[] = {
      {"Peaceful", "peaceful"},
      {"Hip Hop", "hip-hop"},
      {" rock ", "rock"},
      {"Drum & Bass", "drum-and-bass"},
      {"Rock 'n' Roll", "rock-n-roll"},
      {"Lo-Fi  Beats", "lo-fi-beats"},
      {"8_Bit", "8_bit"},
      {"- A -", "a"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.word);
    CHECK(tag_id_of(row.word) == row.id);
  }
  for (const string_view none : {"", " ", "-", "a;b", "a..b", "\xc3\xa4", "\xff"}) CHECK(tag_id_of(none).empty());
  CHECK(tag_id_of(std::string(64, 'A')) == std::string(64, 'a'));
  CHECK(tag_id_of(std::string(65, 'A')).empty());
}

TEST_CASE("An alias is compared without case and punctuation") {
  CHECK(is_alias("perPage", "page_size per_page"));
  CHECK(is_alias("page-size", "page_size per_page"));
  CHECK_FALSE(is_alias("page", "page_size per_page"));
  CHECK_FALSE(is_alias("", "page_size"));
  CHECK_FALSE(is_alias("x", ""));
}

TEST_CASE("The name of a parameter means itself, even if it is an alias of another one") {
  for (const table::Parameter& parameter : table::kSearchParameters.query) {
    CAPTURE(parameter.name);
    CHECK(meant_name<table::Parameter>(parameter.name, table::kSearchParameters.query) == parameter.name);
  }
}

}  // namespace tonearm::api
