#include "api/answers/suggestions.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/requests/query_string.h"
#include "api/requests/search_parameters.h"
#include "memory_catalog.h"
#include "table/arguments.h"

namespace tonearm::api {
namespace {

/// Two effects: "kazoo" and "gutter" are only matching words of the first.
std::shared_ptr<const Catalog> catalog_with_matching_words() {
  std::vector<Track> tracks(2);
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    tracks[i].id = "x-" + std::to_string(i);
    tracks[i].kind = Kind::sfx;
    tracks[i].title = i == 0 ? "Heavy rain" : "Light rain";
    tracks[i].duration_ms = 5'000;
    tracks[i].source = "example.org";
  }
  tracks[0].matching_words = {"kazoo", "gutter-water"};
  return test::make_memory_catalog(tracks);
}

struct Found {
  std::uint64_t total = 0;
  std::vector<std::string> suggestions;
};

Found search(const Catalog& catalog, std::string_view query) {
  const Values values = parse_query(query, table::kSearchParameters.query).value();
  const Page page = catalog.search(to_search_query(arguments_of(table::kSearchParameters, values)).value());
  Found found{page.total, {}};
  if (const auto suggestions = suggest(catalog, values, page)) {
    for (const table::Suggestion& suggestion : *suggestions) found.suggestions.push_back(suggestion.message);
  }
  return found;
}

}  // namespace

TEST_CASE("SEARCH-3, SUGGEST-5, SUGGEST-6: matching words are words of a track for suggestions too") {
  const auto catalog = catalog_with_matching_words();
  const auto search_all = [&](const std::string& query) { return search(*catalog, "kind=sfx&match=all&" + query); };
  using Messages = std::vector<std::string>;

  CHECK(search_all("q=kazoo").total == 1);
  CHECK(search_all("q=kazoo").suggestions.empty());
  // A near spelling of one.
  CHECK(search_all("q=kazo").suggestions ==
        Messages{"With the word \"kazoo\" instead of \"kazo\": 1 track.", "Without q: 2 tracks."});
  CHECK(search_all("q=guter").suggestions.front() == "With the word \"gutter\" instead of \"guter\": 1 track.");
  // One is known, so the other word is the one to drop.
  CHECK(search_all("q=kazoo+zither").suggestions ==
        Messages{"With match=most: 1 track.", "Without the word \"zither\": 1 track.", "Without q: 2 tracks."});
  // Both words are known, but of different tracks.
  CHECK(search_all("q=kazoo+light").suggestions.size() == 3);
  CHECK(search_all("q=kazoo+light").suggestions[1] == "Without the word \"kazoo\": 1 track.");
  // They count with filters too.
  CHECK(search_all("q=kazoo&min_seconds=60").suggestions.front() == "Without min_seconds: 1 track.");
  CHECK(search(*catalog, "kind=sfx&q=kazoo+rain&exclude=gutter").suggestions.size() == 3);
}

TEST_CASE("SUGGEST-1: a search that finds something has no suggestions") {
  const auto catalog = catalog_with_matching_words();
  const Values values = parse_query("kind=sfx&q=rain", table::kSearchParameters.query).value();
  const Page page = catalog->search(to_search_query(arguments_of(table::kSearchParameters, values)).value());
  CHECK_FALSE(suggest(*catalog, values, page).has_value());
  CHECK(has_all_words(page));
}

}  // namespace tonearm::api
