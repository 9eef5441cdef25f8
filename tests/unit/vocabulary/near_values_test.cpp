#include "vocabulary/near_values.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "vocabulary/near_words.h"

namespace tonearm::vocabulary {
namespace {

using std::string_view;

constexpr std::array<string_view, 5> kFacets{"mood", "use", "genre", "instrument", "sfx"};

/// The ids of the builder's vocabulary that are values of a catalog: its entries without `of`.
std::vector<std::string> vocabulary(string_view facet) {
  std::ifstream file(std::string(TONEARM_SOURCE_DIR) + "/catalog-builder/data/" + std::string(facet) + ".toml");
  REQUIRE(file);
  std::vector<std::string> ids;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with('"') || line.find(" of = ") != std::string::npos) continue;
    ids.push_back(line.substr(1, line.find('"', 1) - 1));
  }
  return ids;
}

struct NearWords {
  string_view value;
  std::vector<string_view> words;
};

std::vector<NearWords> near_words_of(string_view parameter) {
  std::vector<NearWords> all;
  for (const NearRows& table : kNearRows) {
    if (table.parameter != parameter) continue;
    for (const NearRow& row : table.rows) {
      NearWords words{row.value, {}};
      for (string_view list : {row.same, row.narrower}) {
        while (!list.empty()) {
          words.words.push_back(list.substr(0, list.find(' ')));
          list.remove_prefix(std::min(list.size(), words.words.back().size() + 1));
        }
      }
      all.push_back(std::move(words));
    }
  }
  return all;
}

}  // namespace

TEST_CASE("SUGGEST-9: a word means the value, or the nearest one that includes it") {
  const std::array<string_view, 3> moods{"calm", "dark", "happy"};
  CHECK(near_value("mood", "peaceful", moods) == "calm");
  CHECK(near_value("mood", "Laid Back", moods) == "calm");
  CHECK_FALSE(near_value("mood", "peacefully", moods).has_value());
  CHECK_FALSE(near_value("mood", "", moods).has_value());
  CHECK_FALSE(near_value("mood", "heroic", moods).has_value());
  CHECK_FALSE(near_value("fields", "peaceful", moods).has_value());

  const std::array<string_view, 2> other_words{"relaxing", "melancholic"};
  CHECK(near_value("mood", "calm", other_words) == "relaxing");
  CHECK(near_value("mood", "gloom", other_words) == std::nullopt);
  CHECK(near_value("mood", "sad", other_words) == "melancholic");

  const std::array<string_view, 2> genres{"electronic", "rock"};
  CHECK(near_value("genre", "minimal-techno", genres) == std::nullopt);
  CHECK(near_value("genre", "acid-techno", genres) == "electronic");
  CHECK(near_value("genre", "techno", genres) == "electronic");
  CHECK(near_value("genre", "grindcore", genres) == "rock");
  const std::array<string_view, 3> with_techno{"electronic", "rock", "techno"};
  CHECK(near_value("genre", "acid-techno", with_techno) == "techno");

  const std::array<string_view, 2> categories{"fx-a", "speech"};
  CHECK(near_value("category", "animals", categories) == "fx-a");
}

TEST_CASE("SUGGEST-9: of a parameter, a word is in one row only, and no value is a word for another") {
  for (const NearRows& table : kNearRows) {
    CAPTURE(table.parameter);
    const std::vector<NearWords> rows = near_words_of(table.parameter);
    CHECK_FALSE(rows.empty());
    std::set<std::string> values;
    std::set<std::string> words;
    for (const NearWords& row : rows) {
      CAPTURE(row.value);
      CHECK(values.insert(ascii_letters(row.value)).second);
      for (const string_view word : row.words) {
        CAPTURE(word);
        CHECK(words.insert(ascii_letters(word)).second);
        CHECK(ascii_letters(word) != ascii_letters(row.value));
      }
    }
  }
}

TEST_CASE("SUGGEST-9: each mood and use of the builder's vocabulary has three words, and each genre a row") {
  for (const string_view facet : kFacets) {
    std::set<std::string> known;
    for (const NearWords& row : near_words_of(facet)) {
      known.insert(ascii_letters(row.value));
      for (const string_view word : row.words) known.insert(ascii_letters(word));
      CAPTURE(row.value);
      if (facet == "mood" || facet == "use") CHECK(row.words.size() >= 3);
    }
    for (const std::string& id : vocabulary(facet)) {
      CAPTURE(facet);
      CAPTURE(id);
      if (facet == "mood" || facet == "use" || facet == "genre") CHECK(known.contains(ascii_letters(id)));
    }
  }
}

}  // namespace tonearm::vocabulary
